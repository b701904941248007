import type { FieldError } from '../../kube-api/resource.ts';
import { validateKubeadmConfig } from '../rules/bootstrap/kubeadm.ts';
import { warnKubeadmConfig } from '../rules/bootstrap/kubeadm-warnings.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import type { KubeadmConfigTemplate } from './schema.ts';

/**
 * CABPK's rules (bootstrap/kubeadm/webhooks/admission/kubeadmconfigtemplate.go). It may change, unlike AWS's template.
 */
export const validateKubeadmConfigTemplate = ({ spec }: KubeadmConfigTemplate): FieldError[] => [
  ...validateKubeadmConfig(spec?.template.spec, 'spec.template.spec'),
  ...validateTemplateMeta(spec?.template.metadata, 'spec.template.metadata'),
];

export const warnKubeadmConfigTemplate = ({ spec }: KubeadmConfigTemplate): string[] =>
  warnKubeadmConfig(spec?.template.spec, 'spec.template.spec');
