import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterOfSpec } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { machineHealthCheckColumns } from './columns.ts';
import { defaultMachineHealthCheck } from './defaults.ts';
import { type MachineHealthCheck, machineHealthCheckSchema } from './schema.ts';
import { machineHealthCheckV1beta1 } from './v1beta1/version.ts';
import { validateMachineHealthCheck } from './validate.ts';

export const machineHealthCheck: ResourceDefinition<MachineHealthCheck> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  singular: 'machinehealthcheck',
  shortNames: ['mhc', 'mhcs'],
  get schema() {
    return toOpenApi(machineHealthCheckSchema);
  },
  columns: machineHealthCheckColumns,
  clusterNameOf: clusterOfSpec,
  default: defaultMachineHealthCheck,
  validate: validateMachineHealthCheck,
  versions: [machineHealthCheckV1beta1],
};
