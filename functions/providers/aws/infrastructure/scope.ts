import { type AWSCluster, type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectKey } from '../../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import {
  isExternallyManaged,
  isInfrastructureExternal,
  isProvided,
} from '../../../../shared/plan/status/managed-by.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import type { AwsScope } from '../../../../shared/providers/aws/scope.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { ClusterRef } from '../../../../shared/work/payloads.ts';
import { unlessClaimed } from '../../../cluster/claimant.ts';
import { otherClusterOf } from '../../../cluster/owners.ts';
import { readClusterObject } from '../../../cluster/snapshot.ts';
import type { ScopeOf } from '../aws-scope.ts';

/** The dependencies for finding the objects and the scope of the calls. */
export interface ScopeDependencies {
  objects: ObjectClient;
  scopeOf: ScopeOf;
}

/** The objects of the infrastructure steps. */
export interface InfrastructureScope {
  name: ClusterName;
  cluster: Cluster;
  /** Undefined if it does not exist, or no longer. */
  awsCluster: AWSCluster | undefined;
  /** The key of the AWSCluster, even if that no longer exists. */
  key: ObjectKey;
  /** The region and identity of its calls to AWS. */
  aws: AwsScope;
}

/** Whether an annotation of the AWSCluster delays its deletion. */
export const isHeld = ({ awsCluster }: Pick<InfrastructureScope, 'awsCluster'>): boolean =>
  awsCluster !== undefined && isObjectPaused(awsCluster);

/** The scope of infrastructure that should exist. */
export type LiveScope = InfrastructureScope & { awsCluster: AWSCluster };

const readObjects = async (objects: ObjectClient, ref: ClusterRef) => {
  const cluster = await readClusterObject(objects, ref);
  const infrastructure = awsName('cluster', cluster?.spec.infrastructureRef);
  if (!cluster || !infrastructure) return undefined;
  const key = { namespace: ref.namespace, name: infrastructure };
  const name = { namespace: ref.namespace, name: ref.name };
  const awsCluster = await objects.get(kinds.awsCluster, key);
  // Nothing was created for a Cluster that refers to another Cluster's AWSCluster.
  const isOthers = awsCluster && otherClusterOf(awsCluster, cluster);
  if (isOthers || (awsCluster && !(await unlessClaimed(objects, cluster, 'infrastructureRef', awsCluster))))
    return undefined;
  return { name, cluster, awsCluster, key };
};

/**
 * The current Cluster with its AWSCluster. Undefined if the Cluster no longer exists, if its infrastructure is of
 * another kind or belongs to another Cluster, or if another system manages it.
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
 * The result of an infrastructure step that has nothing to create, because another system manages the infrastructure,
 * or it is paused: ready if the infrastructure has been provided.
 */
export const isProvidedAsItIs = async (
  { objects }: Pick<ScopeDependencies, 'objects'>,
  ref: ClusterRef,
): Promise<boolean> => {
  const { cluster, awsCluster } = (await readObjects(objects, ref)) ?? {};
  if (!cluster || !awsCluster || cluster.metadata.deletionTimestamp) return false;
  return (isExternallyManaged(awsCluster) || isObjectPaused(awsCluster)) && isProvided(cluster, awsCluster);
};

/** The scope of infrastructure to be created; undefined if it is paused or being deleted, or has another owner. */
export const readLiveScope = async (deps: ScopeDependencies, ref: ClusterRef): Promise<LiveScope | undefined> => {
  const scope = await readScope(deps, ref);
  if (!scope?.awsCluster || scope.awsCluster.metadata.deletionTimestamp) return undefined;
  if (scope.cluster.metadata.deletionTimestamp || isObjectPaused(scope.awsCluster)) return undefined;
  return { ...scope, awsCluster: scope.awsCluster };
};
