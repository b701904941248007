import { type AWSCluster, type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/client.ts';
import type { ObjectKey } from '../../../../shared/kube-api/object.ts';
import {
  isExternallyManaged,
  isInfrastructureExternal,
  isProvided,
} from '../../../../shared/plan/status/managed-by.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import type { AwsScope } from '../../../../shared/providers/aws/scope.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { ClusterRef } from '../../../../shared/work/payloads.ts';
import { readClusterObject } from '../../../cluster/snapshot.ts';
import type { ScopeOf } from '../aws-scope.ts';

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

const readObjects = async (objects: ObjectClient, ref: ClusterRef) => {
  const cluster = await readClusterObject(objects, ref);
  const infrastructure = awsName('cluster', cluster?.spec.infrastructureRef);
  if (!cluster || !infrastructure) return undefined;
  const key = { namespace: ref.namespace, name: infrastructure };
  const name = { namespace: ref.namespace, name: ref.name };
  return { name, cluster, awsCluster: await objects.get(kinds.awsCluster, key), key };
};

/**
 * The Cluster with its AWSCluster as they are now; undefined when the Cluster is gone, has other infrastructure, or
 * another system manages it.
 */
export const readScope = async (
  { objects, scopeOf }: ScopeDependencies,
  ref: ClusterRef,
): Promise<InfrastructureScope | undefined> => {
  const found = await readObjects(objects, ref);
  if (!found || isInfrastructureExternal(found.cluster, found.awsCluster)) return undefined;
  return { ...found, aws: await scopeOf(found.awsCluster) };
};

/**
 * What a step for infrastructure says where there is none to be built: ready where another system manages it and has
 * provided it.
 */
export const isProvidedElsewhere = async (
  { objects }: Pick<ScopeDependencies, 'objects'>,
  ref: ClusterRef,
): Promise<boolean> => {
  const { cluster, awsCluster } = (await readObjects(objects, ref)) ?? {};
  if (!cluster || !awsCluster || cluster.metadata.deletionTimestamp) return false;
  return isExternallyManaged(awsCluster) && isProvided(cluster, awsCluster);
};

/** The scope of something to be built: none when a delete or another owner came in between. */
export const readLiveScope = async (deps: ScopeDependencies, ref: ClusterRef): Promise<LiveScope | undefined> => {
  const scope = await readScope(deps, ref);
  if (!scope?.awsCluster || scope.awsCluster.metadata.deletionTimestamp) return undefined;
  if (scope.cluster.metadata.deletionTimestamp) return undefined;
  return { ...scope, awsCluster: scope.awsCluster };
};
