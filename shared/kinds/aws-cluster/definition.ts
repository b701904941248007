import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { awsClusterColumns } from './columns.ts';
import { defaultAWSCluster } from './defaults.ts';
import { type AWSCluster, awsClusterSchema } from './schema.ts';
import { validateAWSCluster } from './validate.ts';
import { warnAWSCluster } from './warnings.ts';

export const awsCluster: ResourceDefinition<AWSCluster> = {
  ...clusterApiKind,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSCluster',
  plural: 'awsclusters',
  singular: 'awscluster',
  shortNames: ['awsc'],
  get schema() {
    return toOpenApi(awsClusterSchema);
  },
  columns: awsClusterColumns,
  clusterNameOf: clusterLabelOf,
  default: defaultAWSCluster,
  validate: validateAWSCluster,
  warnings: warnAWSCluster,
};
