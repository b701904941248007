import { invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateHealthCheck } from '../rules/health-check.ts';
import { isEmptySelector, validateSelectorSyntax } from '../rules/kubernetes/label-selector.ts';
import { validateClusterName } from '../rules/machines.ts';
import { CLUSTER_NAME_LABEL } from '../schema/definition-parts.ts';
import type { MachineHealthCheck, MachineHealthCheckSpec } from './schema.ts';

const validateOneCluster = ({ selector, clusterName }: MachineHealthCheckSpec): FieldError[] => {
  const selected = selector.matchLabels?.[CLUSTER_NAME_LABEL];
  if (selected === undefined || selected === clusterName) return [];
  const detail = 'cannot specify a cluster selector other than the one specified by ClusterName';
  return [invalidValue('spec.selector', selector, detail)];
};

/** Cluster API's rules (core/webhooks/admission/machinehealthcheck.go). */
export const validateMachineHealthCheck = (
  { spec }: MachineHealthCheck,
  old: MachineHealthCheck | undefined,
): FieldError[] => [
  ...validateSelectorSyntax(spec.selector, 'spec.selector'),
  ...(isEmptySelector(spec.selector) ? [required('spec.selector', 'selector must not be empty')] : []),
  ...validateOneCluster(spec),
  ...validateClusterName(spec.clusterName, old?.spec.clusterName),
  ...validateHealthCheck(spec, 'spec'),
];
