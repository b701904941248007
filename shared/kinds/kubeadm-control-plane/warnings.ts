import { warnKubeadmConfig } from '../rules/bootstrap/kubeadm-warnings.ts';
import type { KubeadmControlPlane } from './schema.ts';

export const warnKubeadmControlPlane = ({ spec }: KubeadmControlPlane): string[] =>
  warnKubeadmConfig(spec.kubeadmConfigSpec, 'spec.kubeadmConfigSpec');
