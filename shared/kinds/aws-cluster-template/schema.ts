import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { awsClusterSpec } from '../aws-cluster/schema.ts';
import { options, struct } from '../schema/fields.ts';
import { templateMeta } from '../schema/meta.ts';

const spec = struct({ template: struct({ spec: awsClusterSpec }, { metadata: templateMeta }) }, {});

export const awsClusterTemplateSchema = options({ spec });

/** The AWSCluster that a ClusterClass creates. */
export interface AWSClusterTemplate extends KubeObject {
  spec?: z.input<typeof spec>;
}
