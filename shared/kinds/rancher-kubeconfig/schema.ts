import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, struct } from '../schema/fields.ts';

const spec = struct({ secretRef: struct({ namespace: anyText, name: anyText, key: anyText }, {}) }, {});

export const rancherKubeconfigSchema = struct({ spec }, {});

export interface RancherKubeconfig extends KubeObject {
  spec: z.input<typeof spec>;
}
