import { warnKubeadmConfig } from '../rules/kubeadm-warnings.ts';
import { type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { KubeadmControlPlane, KubeadmControlPlaneSpec } from './schema.ts';

const UNSUPPORTED: Unsupported<KubeadmControlPlaneSpec> = {
  'rollout.after': (spec) => spec.rollout?.after,
  'rollout.before': (spec) => spec.rollout?.before,
  remediation: (spec) => spec.remediation,
  'machineTemplate.spec.taints': (spec) => spec.machineTemplate.spec.taints,
  'machineTemplate.spec.readinessGates': (spec) => spec.machineTemplate.spec.readinessGates,
};

export const warnKubeadmControlPlane = ({ spec }: KubeadmControlPlane): string[] => [
  ...warnUnsupported(UNSUPPORTED, spec),
  ...warnKubeadmConfig(spec.kubeadmConfigSpec, 'spec.kubeadmConfigSpec'),
];
