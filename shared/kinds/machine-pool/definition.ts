import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterOfSpec } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { machinePoolColumns } from './columns.ts';
import { defaultMachinePool } from './defaults.ts';
import { type MachinePool, machinePoolSchema } from './schema.ts';
import { machinePoolV1beta1 } from './v1beta1/version.ts';
import { validateMachinePool } from './validate.ts';

export const machinePool: ResourceDefinition<MachinePool> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'MachinePool',
  plural: 'machinepools',
  singular: 'machinepool',
  shortNames: ['mp'],
  get schema() {
    return toOpenApi(machinePoolSchema);
  },
  columns: machinePoolColumns,
  // As in upstream, without a selector: the machines of a pool need not be objects.
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  clusterNameOf: clusterOfSpec,
  default: defaultMachinePool,
  validate: validateMachinePool,
  versions: [machinePoolV1beta1],
};
