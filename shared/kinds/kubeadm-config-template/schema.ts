import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { options, someOf, struct } from '../schema/fields.ts';
import { kubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import { someTemplateMeta } from '../schema/meta.ts';

const spec = struct({ template: someOf({ metadata: someTemplateMeta, spec: kubeadmConfigSpec }) }, {});

export const kubeadmConfigTemplateSchema = options({ spec });

export interface KubeadmConfigTemplate extends KubeObject {
  spec?: z.input<typeof spec>;
}
