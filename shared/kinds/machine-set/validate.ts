import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateSelector } from '../rules/kubernetes/label-selector.ts';
import {
  validateBootstrap,
  validateClusterName,
  validateMachineSpec,
  validateSameCluster,
  validateSkippedChecks,
} from '../rules/machines.ts';
import { validateNaming, validateTemplateMeta } from '../rules/names.ts';
import { validateNoticePolicy } from '../rules/notice-policy.ts';
import { validateReplicaBounds } from '../rules/replicas.ts';
import type { MachineSet } from './schema.ts';

/** Cluster API's rules (core/webhooks/admission/machineset.go). */
export const validateMachineSet = ({ metadata, spec }: MachineSet, old: MachineSet | undefined): FieldError[] => [
  ...validateBootstrap(spec.template.spec, 'spec.template.spec'),
  ...validateMachineSpec(spec.template.spec, 'spec.template.spec', 'worker'),
  ...validateSelector(spec.selector, spec.template.metadata?.labels, (detail) =>
    invalidValue('spec.template.metadata.labels', spec.template.metadata?.labels ?? {}, detail),
  ),
  ...validateSkippedChecks(metadata.annotations),
  ...validateReplicaBounds(metadata.annotations, old?.metadata.annotations),
  ...validateNoticePolicy(metadata.annotations),
  ...validateClusterName(spec.clusterName, old?.spec.clusterName),
  ...validateSameCluster(spec.clusterName, spec.template.spec.clusterName),
  ...validateNaming(spec.machineNaming?.template, 'machineSet', 'spec.machineNaming.template'),
  ...validateTemplateMeta(spec.template.metadata, 'spec.template.metadata'),
];
