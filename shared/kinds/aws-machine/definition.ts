import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { awsMachineColumns } from './columns.ts';
import { defaultAWSMachine } from './defaults.ts';
import { type AWSMachine, awsMachineSchema } from './schema.ts';
import { validateAWSMachine, warnAWSMachine } from './validate.ts';

export const awsMachine: ResourceDefinition<AWSMachine> = {
  ...clusterApiKind,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSMachine',
  plural: 'awsmachines',
  singular: 'awsmachine',
  shortNames: ['awsm'],
  get schema() {
    return toOpenApi(awsMachineSchema);
  },
  columns: awsMachineColumns,
  clusterNameOf: clusterLabelOf,
  default: defaultAWSMachine,
  validate: validateAWSMachine,
  warnings: warnAWSMachine,
};
