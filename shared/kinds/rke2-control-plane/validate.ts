import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateRke2Config, validateRke2ControlPlaneFields } from '../rules/bootstrap/rke2.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { validateNoticePolicy } from '../rules/notice-policy.ts';
import type { RKE2ControlPlane } from './schema.ts';

const REFERENCE = 'spec.machineTemplate.spec.infrastructureRef';

const validateReplicas = (replicas: number | undefined): FieldError[] => {
  if (replicas === undefined) return [required('spec.replicas', 'is required')];
  return replicas <= 0 ? [forbiddenField('spec.replicas', 'cannot be less than or equal to 0')] : [];
};

/** The provider's rules (controlplane/api/v1beta2/rke2controlplane_webhook.go). */
export const validateRke2ControlPlane = (
  { metadata, spec }: RKE2ControlPlane,
  old: RKE2ControlPlane | undefined,
): FieldError[] => {
  const template = spec.machineTemplate as RKE2ControlPlane['spec']['machineTemplate'] | undefined;
  return [
    ...validateNoticePolicy(metadata.annotations),
    ...validateRke2Config(spec, old?.spec, 'spec'),
    ...validateRke2ControlPlaneFields(spec, old?.spec, 'spec'),
    ...(template ? [] : [invalidValue(REFERENCE, undefined, 'machineTemplate is required')]),
    ...validateTemplateMeta(template?.metadata, 'spec.machineTemplate.metadata'),
    ...validateReplicas(spec.replicas),
    // Upstream admits it, but then no machine can be created.
    ...(spec.version === '' ? [required('spec.version', 'such as v1.34.2+rke2r1')] : []),
  ];
};
