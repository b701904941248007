import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterOfSpec } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { clusterResourceSetBindingColumns } from './columns.ts';
import { type ClusterResourceSetBinding, clusterResourceSetBindingSchema } from './schema.ts';
import { clusterResourceSetBindingV1beta1 } from './v1beta1/version.ts';
import { validateClusterResourceSetBinding } from './validate.ts';

export const clusterResourceSetBinding: ResourceDefinition<ClusterResourceSetBinding> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'addons.cluster.x-k8s.io',
  kind: 'ClusterResourceSetBinding',
  plural: 'clusterresourcesetbindings',
  singular: 'clusterresourcesetbinding',
  shortNames: [],
  get schema() {
    return toOpenApi(clusterResourceSetBindingSchema);
  },
  columns: clusterResourceSetBindingColumns,
  clusterNameOf: clusterOfSpec,
  validate: validateClusterResourceSetBinding,
  versions: [clusterResourceSetBindingV1beta1],
};
