import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterOfSpec, machineScale } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { machineSetColumns } from './columns.ts';
import { defaultMachineSet } from './defaults.ts';
import { type MachineSet, machineSetSchema } from './schema.ts';
import { machineSetV1beta1 } from './v1beta1/version.ts';
import { validateMachineSet } from './validate.ts';

export const machineSet: ResourceDefinition<MachineSet> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'MachineSet',
  plural: 'machinesets',
  singular: 'machineset',
  shortNames: ['ms'],
  get schema() {
    return toOpenApi(machineSetSchema);
  },
  columns: machineSetColumns,
  scale: machineScale,
  clusterNameOf: clusterOfSpec,
  default: defaultMachineSet,
  validate: validateMachineSet,
  versions: [machineSetV1beta1],
};
