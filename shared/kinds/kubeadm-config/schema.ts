import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int64, options, someOf, text } from '../schema/fields.ts';
import { type KubeadmConfigSpec, kubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import { conditions, legacyConditions } from '../schema/meta.ts';

const status = someOf({
  conditions,
  initialization: someOf({ dataSecretCreated: flag }),
  dataSecretName: text(1, 253),
  observedGeneration: int64({ min: 1 }),
  deprecated: options({
    v1beta1: options({ conditions: legacyConditions, failureReason: text(1, 256), failureMessage: text(1, 10240) }),
  }),
});

export const kubeadmConfigSchema = z.object({ spec: kubeadmConfigSpec.optional(), status: status.optional() });

export type KubeadmConfigStatus = z.input<typeof status>;

/** `spec` may be absent for a worker that only needs kubeadm's own defaults. */
export interface KubeadmConfig extends KubeObject {
  spec?: KubeadmConfigSpec;
  status?: KubeadmConfigStatus;
}
