import { forbiddenField } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateSelector } from '../rules/kubernetes/label-selector.ts';
import {
  validateBootstrap,
  validateClusterName,
  validateMachineSpec,
  validateSameCluster,
  validateSkippedChecks,
} from '../rules/machines.ts';
import { validateLabelName, validateNaming, validateTemplateMeta } from '../rules/names.ts';
import { validateNoticePolicy } from '../rules/notice-policy.ts';
import { validateIntOrPercent, validateReplicaBounds, validateRollingUpdate } from '../rules/replicas.ts';
import type { MachineDeployment, MachineDeploymentSpec } from './schema.ts';

const TEMPLATE_LABELS = 'spec.template.metadata.labels';

const validateRollout = ({ rollout, remediation }: MachineDeploymentSpec): FieldError[] => [
  ...validateRollingUpdate(rollout?.strategy?.rollingUpdate, 'spec.rollout.strategy.rollingUpdate'),
  ...validateIntOrPercent(remediation?.maxInFlight, 'spec.remediation.maxInFlight'),
];

/** Cluster API's rules (core/webhooks/admission/machinedeployment.go). */
export const validateMachineDeployment = (
  { metadata, spec }: MachineDeployment,
  old: MachineDeployment | undefined,
): FieldError[] => [
  ...validateLabelName(metadata.name),
  ...validateBootstrap(spec.template.spec, 'spec.template.spec'),
  ...validateMachineSpec(spec.template.spec, 'spec.template.spec', 'worker'),
  ...validateSelector(spec.selector, spec.template.metadata?.labels, (detail) =>
    forbiddenField(TEMPLATE_LABELS, detail),
  ),
  ...validateSkippedChecks(metadata.annotations),
  ...validateReplicaBounds(metadata.annotations, old?.metadata.annotations),
  ...validateNoticePolicy(metadata.annotations),
  ...validateClusterName(spec.clusterName, old?.spec.clusterName),
  ...validateSameCluster(spec.clusterName, spec.template.spec.clusterName),
  ...validateRollout(spec),
  ...validateNaming(spec.machineNaming?.template, 'machineSet', 'spec.machineNaming.template'),
  ...validateTemplateMeta(spec.template.metadata, 'spec.template.metadata'),
];
