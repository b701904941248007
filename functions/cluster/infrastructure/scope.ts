import type { ClusterName } from '../../../shared/aws/tags.ts';
import { type AWSCluster, type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient, ObjectKey } from '../../../shared/kube-api/client.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { readClusterObject } from '../snapshot.ts';

/** The objects that the infrastructure steps work for. */
export interface InfrastructureScope {
  name: ClusterName;
  cluster: Cluster;
  /** Undefined when there is none (any more). */
  awsCluster: AWSCluster | undefined;
  /** Key of the AWSCluster, also where it is gone. */
  key: ObjectKey;
}

/** The Cluster with its AWSCluster as they are now; undefined when the Cluster is gone or has other infrastructure. */
export const readScope = async (objects: ObjectClient, ref: ClusterRef): Promise<InfrastructureScope | undefined> => {
  const cluster = await readClusterObject(objects, ref);
  const reference = cluster?.spec.infrastructureRef;
  if (!cluster || reference?.kind !== 'AWSCluster') return undefined;
  const key = { namespace: ref.namespace, name: reference.name };
  const name = { namespace: ref.namespace, name: ref.name };
  return { name, cluster, awsCluster: await objects.get(kinds.awsCluster, key), key };
};

/** The scope of something to be built: none when a delete or another owner came in between. */
export const readLiveScope = async (
  objects: ObjectClient,
  ref: ClusterRef,
): Promise<(InfrastructureScope & { awsCluster: AWSCluster }) | undefined> => {
  const scope = await readScope(objects, ref);
  if (!scope?.awsCluster || scope.awsCluster.metadata.deletionTimestamp) return undefined;
  if (scope.cluster.metadata.deletionTimestamp) return undefined;
  return { ...scope, awsCluster: scope.awsCluster };
};
