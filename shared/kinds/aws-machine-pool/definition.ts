import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { awsMachinePoolColumns } from './columns.ts';
import { defaultAWSMachinePool } from './defaults.ts';
import { type AWSMachinePool, awsMachinePoolSchema } from './schema.ts';
import { validateAWSMachinePool } from './validate.ts';
import { warnAWSMachinePool } from './warnings.ts';

export const awsMachinePool: ResourceDefinition<AWSMachinePool> = {
  ...clusterApiKind,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSMachinePool',
  plural: 'awsmachinepools',
  singular: 'awsmachinepool',
  shortNames: ['awsmp'],
  get schema() {
    return toOpenApi(awsMachinePoolSchema);
  },
  columns: awsMachinePoolColumns,
  clusterNameOf: clusterLabelOf,
  default: defaultAWSMachinePool,
  validate: validateAWSMachinePool,
  warnings: warnAWSMachinePool,
};
