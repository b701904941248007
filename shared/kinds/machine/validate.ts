import type { FieldError } from '../../kube-api/resource.ts';
import { validateClusterName, validateMachineSpec } from '../rules/machines.ts';
import { validateNoticePolicy } from '../rules/notice-policy.ts';
import type { Machine } from './schema.ts';

const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

/** Cluster API's rules (core/webhooks/admission/machine.go), and our annotations. */
export const validateMachine = ({ metadata, spec }: Machine, old: Machine | undefined): FieldError[] => {
  const role = metadata.labels?.[CONTROL_PLANE_LABEL] === undefined ? 'worker' : 'control-plane';
  return [
    ...validateMachineSpec(spec, 'spec', role),
    ...validateClusterName(spec.clusterName, old?.spec.clusterName),
    ...validateNoticePolicy(metadata.annotations),
  ];
};
