import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { clusterColumns } from './columns.ts';
import { defaultCluster } from './defaults.ts';
import { type Cluster, clusterSchema } from './schema.ts';
import { clusterV1beta1 } from './v1beta1/version.ts';
import { validateCluster } from './validate.ts';

export const cluster: ResourceDefinition<Cluster> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'Cluster',
  plural: 'clusters',
  singular: 'cluster',
  shortNames: ['cl'],
  get schema() {
    return toOpenApi(clusterSchema);
  },
  columns: clusterColumns,
  keepsNamespace: true,
  clusterNameOf: (object) => object.metadata.name,
  default: defaultCluster,
  validate: validateCluster,
  versions: [clusterV1beta1],
};
