import { forbiddenField } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateBootstrap, validateClusterName, validateMachineSpec, validateSameCluster } from '../rules/machines.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { validateReplicaBounds } from '../rules/replicas.ts';
import type { MachinePool } from './schema.ts';

/** Cluster API's rules (core/webhooks/admission/machinepool.go). */
export const validateMachinePool = ({ metadata, spec }: MachinePool, old: MachinePool | undefined): FieldError[] => {
  const { taints = [], ...machine } = spec.template.spec;
  return [
    ...validateBootstrap(machine, 'spec.template.spec'),
    ...validateMachineSpec(machine, 'spec.template.spec', 'worker'),
    ...validateClusterName(spec.clusterName, old?.spec.clusterName),
    ...validateSameCluster(spec.clusterName, machine.clusterName),
    ...validateReplicaBounds(metadata.annotations, old?.metadata.annotations),
    ...(taints.length > 0
      ? [forbiddenField('spec.taints', 'taints feature for MachinePools is not yet implemented')]
      : []),
    ...validateTemplateMeta(spec.template.metadata, 'spec.template.metadata'),
  ];
};
