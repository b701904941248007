import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateControlPlaneRollout } from '../rules/bootstrap/control-plane-rollout.ts';
import { validateClusterConfiguration, validateKubeadmConfig, validateTimeouts } from '../rules/bootstrap/kubeadm.ts';
import { changedPaths } from '../rules/changed-paths.ts';
import { validateTaints } from '../rules/machines.ts';
import { validateNaming, validateTemplateMeta } from '../rules/names.ts';
import { keepingStrategy, withFormerDefaults } from './former-defaults.ts';
import type { KubeadmControlPlaneTemplate, KubeadmControlPlaneTemplateResourceSpec } from './schema.ts';

const FIELD = 'spec.template.spec';
const CONFIG = `${FIELD}.kubeadmConfigSpec`;

const validateResource = (spec: KubeadmControlPlaneTemplateResourceSpec): FieldError[] => {
  const { machineTemplate, kubeadmConfigSpec, machineNaming } = spec;
  const { clusterConfiguration } = kubeadmConfigSpec ?? {};
  return [
    ...validateControlPlaneRollout(spec, FIELD),
    ...validateNaming(machineNaming?.template, 'kubeadmControlPlane', `${FIELD}.machineNaming.template`),
    ...validateTaints(machineTemplate?.spec?.taints, `${FIELD}.machineTemplate.spec.taints`, 'control-plane'),
    ...validateTemplateMeta(machineTemplate?.metadata, `${FIELD}.machineTemplate.metadata`),
    ...validateClusterConfiguration(clusterConfiguration, undefined, `${CONFIG}.clusterConfiguration`),
    ...validateKubeadmConfig(kubeadmConfigSpec, CONFIG),
    ...validateTimeouts(kubeadmConfigSpec, CONFIG),
  ];
};

/**
 * Files and passwords may be secret, so the refusal names the fields and shows no values. Users may remove defaults
 * that earlier releases of Cluster API have added, so that they can apply their own files to such a template.
 */
const validateUnchanged = (
  next: KubeadmControlPlaneTemplateResourceSpec | undefined,
  old: KubeadmControlPlaneTemplateResourceSpec | undefined,
): FieldError[] => {
  const changed = changedPaths(withFormerDefaults(old), withFormerDefaults(keepingStrategy(next, old)), FIELD);
  if (changed.length === 0) return [];
  const detail =
    'KubeadmControlPlaneTemplate spec.template.spec field is immutable. Please create new resource instead.';
  return [invalidValue(FIELD, undefined, `${detail} Diff: ${changed.join(', ')}`)];
};

/** KCP's rules for templates (controlplane/kubeadm/webhooks/admission/kubeadmcontrolplanetemplate.go). */
export const validateKubeadmControlPlaneTemplate = (
  { spec }: KubeadmControlPlaneTemplate,
  old: KubeadmControlPlaneTemplate | undefined,
): FieldError[] =>
  old
    ? validateUnchanged(spec?.template.spec, old.spec?.template.spec)
    : [
        ...validateResource(spec?.template.spec ?? {}),
        ...validateTemplateMeta(spec?.template.metadata, 'spec.template.metadata'),
      ];
