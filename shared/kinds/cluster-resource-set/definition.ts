import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { clusterResourceSetColumns } from './columns.ts';
import { type ClusterResourceSet, clusterResourceSetSchema } from './schema.ts';
import { clusterResourceSetV1beta1 } from './v1beta1/version.ts';
import { validateClusterResourceSet } from './validate.ts';

const defaultClusterResourceSet = (set: ClusterResourceSet): ClusterResourceSet => ({
  ...set,
  spec: { ...set.spec, strategy: set.spec.strategy ?? 'ApplyOnce' },
});

export const clusterResourceSet: ResourceDefinition<ClusterResourceSet> = {
  ...clusterApiKind,
  group: 'addons.cluster.x-k8s.io',
  kind: 'ClusterResourceSet',
  plural: 'clusterresourcesets',
  singular: 'clusterresourceset',
  shortNames: [],
  get schema() {
    return toOpenApi(clusterResourceSetSchema);
  },
  columns: clusterResourceSetColumns,
  clusterNameOf: clusterLabelOf,
  default: defaultClusterResourceSet,
  validate: validateClusterResourceSet,
  versions: [clusterResourceSetV1beta1],
};
