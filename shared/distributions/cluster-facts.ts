import type { ClusterFacts } from '../bootstrap/kubeadm/spec.ts';
import { TransientError } from '../errors.ts';
import type { BootstrapRequest } from './distribution.ts';

/** The facts about its cluster that a machine needs. Throws TransientError while the endpoint of the API is unknown. */
export const clusterFactsOf = ({
  cluster,
  machine,
  preservesClientAddress,
}: Pick<BootstrapRequest, 'cluster' | 'machine' | 'preservesClientAddress'>): ClusterFacts => {
  const endpoint = cluster.spec.controlPlaneEndpoint;
  if (!endpoint?.host || !endpoint.port) {
    throw new TransientError('the Cluster has no control plane endpoint yet');
  }
  const network = cluster.spec.clusterNetwork;
  return {
    name: cluster.metadata.name,
    endpoint: { host: endpoint.host, port: endpoint.port, preservesClientAddress },
    podCidrs: network?.pods?.cidrBlocks ?? [],
    serviceCidrs: network?.services?.cidrBlocks ?? [],
    dnsDomain: network?.serviceDomain ?? 'cluster.local',
    version: machine.spec.version ?? '',
  };
};
