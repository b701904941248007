import type { AwsScope } from '../../../shared/aws/scope.ts';
import type { ClusterName } from '../../../shared/aws/tags.ts';
import { infrastructureName } from '../../../shared/infrastructures/registry.ts';
import { type AWSCluster, type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient, ObjectKey } from '../../../shared/kube-api/client.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import type { ScopeOf } from '../../aws-scope.ts';
import { readClusterObject } from '../snapshot.ts';

/** What the objects are read and the scope of the calls is found with. */
export interface ScopeDependencies {
  objects: ObjectClient;
  scopeOf: ScopeOf;
}

/** The objects that the infrastructure steps work for. */
export interface InfrastructureScope {
  name: ClusterName;
  cluster: Cluster;
  /** Undefined when there is none (any more). */
  awsCluster: AWSCluster | undefined;
  /** Key of the AWSCluster, also where it is gone. */
  key: ObjectKey;
  /** Where and as whom AWS is called for it. */
  aws: AwsScope;
}

/** Of infrastructure that is to exist. */
export type LiveScope = InfrastructureScope & { awsCluster: AWSCluster };

/** The Cluster with its AWSCluster as they are now; undefined when the Cluster is gone or has other infrastructure. */
export const readScope = async (
  { objects, scopeOf }: ScopeDependencies,
  ref: ClusterRef,
): Promise<InfrastructureScope | undefined> => {
  const cluster = await readClusterObject(objects, ref);
  const infrastructure = infrastructureName('cluster', cluster?.spec.infrastructureRef);
  if (!cluster || !infrastructure) return undefined;
  const key = { namespace: ref.namespace, name: infrastructure };
  const name = { namespace: ref.namespace, name: ref.name };
  const awsCluster = await objects.get(kinds.awsCluster, key);
  return { name, cluster, awsCluster, key, aws: await scopeOf(awsCluster) };
};

/** The scope of something to be built: none when a delete or another owner came in between. */
export const readLiveScope = async (deps: ScopeDependencies, ref: ClusterRef): Promise<LiveScope | undefined> => {
  const scope = await readScope(deps, ref);
  if (!scope?.awsCluster || scope.awsCluster.metadata.deletionTimestamp) return undefined;
  if (scope.cluster.metadata.deletionTimestamp) return undefined;
  return { ...scope, awsCluster: scope.awsCluster };
};
