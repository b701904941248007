import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterOfSpec, machineScale } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { machineDeploymentColumns } from './columns.ts';
import { defaultMachineDeployment } from './defaults.ts';
import { type MachineDeployment, machineDeploymentSchema } from './schema.ts';
import { machineDeploymentV1beta1 } from './v1beta1/version.ts';
import { validateMachineDeployment } from './validate.ts';

export const machineDeployment: ResourceDefinition<MachineDeployment> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'MachineDeployment',
  plural: 'machinedeployments',
  singular: 'machinedeployment',
  shortNames: ['md'],
  get schema() {
    return toOpenApi(machineDeploymentSchema);
  },
  columns: machineDeploymentColumns,
  scale: machineScale,
  clusterNameOf: clusterOfSpec,
  default: defaultMachineDeployment,
  validate: validateMachineDeployment,
  versions: [machineDeploymentV1beta1],
};
