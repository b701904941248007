import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { clusterClassColumns } from './columns.ts';
import { type ClusterClass, clusterClassSchema } from './schema.ts';
import { withClassStatus } from './status.ts';
import { clusterClassV1beta1 } from './v1beta1/version.ts';
import { validateClusterClass } from './validate.ts';

export const clusterClass: ResourceDefinition<ClusterClass> = {
  ...clusterApiKind,
  group: 'cluster.x-k8s.io',
  kind: 'ClusterClass',
  plural: 'clusterclasses',
  singular: 'clusterclass',
  shortNames: ['cc'],
  get schema() {
    return toOpenApi(clusterClassSchema);
  },
  columns: clusterClassColumns,
  validate: validateClusterClass,
  decide: withClassStatus,
  versions: [clusterClassV1beta1],
};
