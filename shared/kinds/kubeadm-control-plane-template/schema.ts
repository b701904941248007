import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { controlPlaneRemediation, rolloutTimes } from '../kubeadm-control-plane/schema.ts';
import { intOrString, options, someOf, struct } from '../schema/fields.ts';
import { kubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import { machineDeletion, machineNaming, machineTaints } from '../schema/machine-parts.ts';
import { someTemplateMeta } from '../schema/meta.ts';

/** Nothing is defaulted in a template, so given values must be complete. */
const strategy = struct({ type: z.enum(['RollingUpdate']) }, { rollingUpdate: someOf({ maxSurge: intOrString }) }).meta(
  { minProperties: 1 },
);

const resourceSpec = someOf({
  machineTemplate: someOf({
    metadata: someTemplateMeta,
    spec: someOf({ deletion: machineDeletion, taints: machineTaints }),
  }),
  kubeadmConfigSpec,
  rollout: someOf({ ...rolloutTimes, strategy }),
  remediation: controlPlaneRemediation,
  machineNaming,
});

const spec = struct({ template: someOf({ metadata: someTemplateMeta, spec: resourceSpec }) }, {});

export const kubeadmControlPlaneTemplateSchema = options({ spec });

export type KubeadmControlPlaneTemplateResourceSpec = z.input<typeof resourceSpec>;

/** The control plane that a ClusterClass creates. Version and replicas come from the cluster's topology. */
export interface KubeadmControlPlaneTemplate extends KubeObject {
  spec?: z.input<typeof spec>;
}
