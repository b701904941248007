import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';

/**
 * The availability gates of a Cluster's class. The class is read only if they apply: to a Cluster with a topology and
 * without its own gates.
 */
export const readClassGates = async (
  objects: Pick<ObjectClient, 'get'>,
  { metadata, spec: { topology, availabilityGates } }: Cluster,
): Promise<Cluster['spec']['availabilityGates']> => {
  if (!topology || availabilityGates) return undefined;
  const { name, namespace = metadata.namespace ?? '' } = topology.classRef;
  return (await objects.get(kinds.clusterClass, { namespace, name }))?.spec.availabilityGates;
};
