import type { FieldError } from '../../kube-api/resource.ts';
import { validateKubeadmConfig as validateSpec } from '../rules/bootstrap/kubeadm.ts';
import { warnKubeadmConfig as warnSpec } from '../rules/bootstrap/kubeadm-warnings.ts';
import type { KubeadmConfig } from './schema.ts';

/** CABPK's rules (bootstrap/kubeadm/webhooks/admission/kubeadmconfig.go). */
export const validateKubeadmConfig = ({ spec }: KubeadmConfig): FieldError[] => validateSpec(spec, 'spec');

export const warnKubeadmConfig = ({ spec }: KubeadmConfig): string[] => warnSpec(spec, 'spec');
