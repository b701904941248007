import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterOfSpec } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { machineColumns } from './columns.ts';
import { defaultMachine } from './defaults.ts';
import { type Machine, machineSchema } from './schema.ts';
import { machineV1beta1 } from './v1beta1/version.ts';
import { validateMachine } from './validate.ts';

export const machine: ResourceDefinition<Machine> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'Machine',
  plural: 'machines',
  singular: 'machine',
  shortNames: ['ma'],
  get schema() {
    return toOpenApi(machineSchema);
  },
  columns: machineColumns,
  clusterNameOf: clusterOfSpec,
  default: defaultMachine,
  validate: validateMachine,
  versions: [machineV1beta1],
};
