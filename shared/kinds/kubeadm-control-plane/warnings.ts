import { warnKubeadmConfig } from '../rules/kubeadm-warnings.ts';
import { type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { KubeadmControlPlane, KubeadmControlPlaneSpec } from './schema.ts';

const machines = (spec: KubeadmControlPlaneSpec) => spec.machineTemplate.spec;

const UNSUPPORTED: Unsupported<KubeadmControlPlaneSpec> = {
  remediation: (spec) => spec.remediation,
  machineNaming: (spec) => spec.machineNaming,
  'machineTemplate.spec.taints': (spec) => machines(spec).taints,
};

export const warnKubeadmControlPlane = ({ spec }: KubeadmControlPlane): string[] => [
  ...warnUnsupported(UNSUPPORTED, spec),
  ...warnKubeadmConfig(spec.kubeadmConfigSpec, 'spec.kubeadmConfigSpec'),
];
