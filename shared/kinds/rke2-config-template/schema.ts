import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { struct } from '../schema/fields.ts';
import { rke2ConfigSpec } from '../schema/rke2-config-spec.ts';

const spec = struct({ template: struct({ spec: rke2ConfigSpec }, {}) }, {});

export const rke2ConfigTemplateSchema = struct({ spec }, {});

export interface RKE2ConfigTemplate extends KubeObject {
  spec: z.input<typeof spec>;
}
