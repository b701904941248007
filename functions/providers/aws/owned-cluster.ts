import type { AWSCluster, Cluster } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import { findOwnedInfrastructure, type ProvidedCluster } from '../../cluster/owned-infrastructure.ts';

/** The AWSCluster of a snapshot; null if there is none, or another provider serves the cluster. */
export const servedByAws = (found: ProvidedCluster | null): AWSCluster | null =>
  found?.provider === aws ? (found.object as AWSCluster) : null;

/**
 * The AWSCluster that says in which region and account something is that is being removed. If the Cluster refers to
 * infrastructure of another provider now, it is one that the Cluster owns. Null if there is none.
 */
export const findAwsCluster = async (
  objects: Pick<ObjectClient, 'listOfCluster'>,
  { cluster, infrastructureCluster }: { cluster: Cluster | null; infrastructureCluster: ProvidedCluster | null },
): Promise<AWSCluster | null> => {
  const referred = servedByAws(infrastructureCluster);
  // If the snapshot has none, the Cluster owns none of any provider.
  if (referred || !cluster || !infrastructureCluster) return referred;
  return servedByAws(await findOwnedInfrastructure(objects, cluster, [aws]));
};
