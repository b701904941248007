import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { awsMachineSpec } from '../schema/aws-machine-spec.ts';
import { quantity } from '../schema/env-var.ts';
import { mapOf, options, struct } from '../schema/fields.ts';
import { legacyConditions, templateMeta } from '../schema/meta.ts';

const spec = struct({ template: struct({ spec: awsMachineSpec }, { metadata: templateMeta }) }, {});

const status = options({
  capacity: mapOf(quantity),
  nodeInfo: options({ architecture: z.enum(['amd64', 'arm64']), operatingSystem: z.enum(['linux', 'windows']) }),
  conditions: legacyConditions,
});

export const awsMachineTemplateSchema = struct({ spec }, { status });

export interface AWSMachineTemplate extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}
