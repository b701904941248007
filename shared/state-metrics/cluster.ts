import { type Cluster, kinds } from '../kinds/index.ts';
import { info, type StateMetrics } from './family.ts';
import { conditions, created, paused, phase, specPaused } from './recurring-families.ts';

const NOUN = 'cluster';

export const clusterMetrics: StateMetrics<Cluster> = {
  resource: kinds.cluster,
  prefix: 'capi_cluster',
  labels: () => ({}),
  families: [
    paused(NOUN),
    created(NOUN),
    info('info', 'The endpoint, the references and the topology of a cluster.', ({ spec }) => ({
      control_plane_endpoint_host: spec.controlPlaneEndpoint?.host,
      control_plane_endpoint_port: spec.controlPlaneEndpoint?.port,
      control_plane_reference_kind: spec.controlPlaneRef?.kind,
      control_plane_reference_name: spec.controlPlaneRef?.name,
      infrastructure_reference_kind: spec.infrastructureRef?.kind,
      infrastructure_reference_name: spec.infrastructureRef?.name,
      topology_classref_name: spec.topology?.classRef?.name,
      topology_classref_namespace: spec.topology?.classRef?.namespace,
      topology_version: spec.topology?.version,
    })),
    specPaused(NOUN),
    ...conditions<Cluster>(NOUN),
    phase(NOUN, ['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown']),
  ],
};
