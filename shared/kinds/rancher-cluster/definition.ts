import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, textColumn } from '../schema/columns.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { rancherKind } from '../schema/rancher-kind.ts';
import { type RancherCluster, rancherClusterSchema } from './schema.ts';
import { validateRancherCluster } from './validate.ts';

export const rancherCluster: ResourceDefinition<RancherCluster> = {
  ...rancherKind,
  kind: 'Cluster',
  plural: 'clusters',
  singular: 'cluster',
  statusSubresource: true,
  get schema() {
    return toOpenApi(rancherClusterSchema);
  },
  columns: [
    conditionColumn('Provisioned', 'Provisioned', 'Whether all nodes of the configuration run'),
    conditionColumn('Ready', 'Ready', 'Whether the API server of the cluster answers'),
    textColumn('Namespace', '.status.namespace', 'Namespace with the objects of the cluster'),
    ageColumn('Cluster'),
  ],
  validate: validateRancherCluster,
};
