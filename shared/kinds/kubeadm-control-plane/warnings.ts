import { warnKubeadmConfig } from '../rules/kubeadm-warnings.ts';
import { type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { KubeadmControlPlane, KubeadmControlPlaneSpec } from './schema.ts';

const UNSUPPORTED: Unsupported<KubeadmControlPlaneSpec> = {
  machineNaming: (spec) => spec.machineNaming,
};

export const warnKubeadmControlPlane = ({ spec }: KubeadmControlPlane): string[] => [
  ...warnUnsupported(UNSUPPORTED, spec),
  ...warnKubeadmConfig(spec.kubeadmConfigSpec, 'spec.kubeadmConfigSpec'),
];
