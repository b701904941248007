import type { FieldError } from '../../kube-api/resource.ts';
import { validateBootstrap, validateClusterName, validateMachineSpec } from '../rules/machines.ts';
import { validateNoticePolicy } from '../rules/notice-policy.ts';
import type { Machine } from './schema.ts';

const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';
const POOL_LABEL = 'cluster.x-k8s.io/pool-name';

/** The pool has the bootstrap data of its machines. */
const isOfPool = ({ metadata }: Machine): boolean =>
  POOL_LABEL in (metadata.labels ?? {}) ||
  metadata.ownerReferences?.some(({ kind }) => kind === 'MachinePool') === true;

/** Cluster API's rules (core/webhooks/admission/machine.go), and the rules for our annotations. */
export const validateMachine = (machine: Machine, old: Machine | undefined): FieldError[] => {
  const { metadata, spec } = machine;
  const role = metadata.labels?.[CONTROL_PLANE_LABEL] === undefined ? 'worker' : 'control-plane';
  return [
    ...(isOfPool(machine) ? [] : validateBootstrap(spec, 'spec')),
    ...validateMachineSpec(spec, 'spec', role),
    ...validateClusterName(spec.clusterName, old?.spec.clusterName),
    ...validateNoticePolicy(metadata.annotations),
  ];
};
