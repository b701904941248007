import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';
import { clusterLabelOf } from '../schema/definition-parts.ts';
import { hostKind } from '../schema/host-kind.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type HostCluster, hostClusterSchema } from './schema.ts';

const API_PORT = 6443;

const defaultEndpoint = ({ controlPlaneEndpoint: endpoint }: HostCluster['spec']): HostCluster['spec'] =>
  endpoint?.host ? { controlPlaneEndpoint: { ...endpoint, port: endpoint.port || API_PORT } } : {};

export const hostCluster: ResourceDefinition<HostCluster> = {
  ...hostKind,
  kind: 'HostCluster',
  plural: 'hostclusters',
  singular: 'hostcluster',
  shortNames: [],
  statusSubresource: true,
  get schema() {
    return toOpenApi(hostClusterSchema);
  },
  columns: [
    textColumn(
      'Cluster',
      '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name',
      'Cluster that the HostCluster belongs to',
    ),
    textColumn('Ready', '.status.ready', 'Whether machines can be made'),
    textColumn('Endpoint', '.spec.controlPlaneEndpoint.host', 'Address of the API server'),
    ageColumn('HostCluster'),
  ],
  clusterNameOf: clusterLabelOf,
  default: (object) => ({ ...object, spec: { ...object.spec, ...defaultEndpoint(object.spec ?? {}) } }),
};
