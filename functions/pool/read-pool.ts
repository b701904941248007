import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { hasController } from '../../shared/plan/workers/adoption.ts';
import { infrastructureOf } from '../../shared/providers/registry.ts';
import type { PoolRef } from '../../shared/work/payloads.ts';
import { findOwnedInfrastructure, type ProvidedCluster } from '../cluster/owned-infrastructure.ts';
import { unlessOthers } from '../cluster/owners.ts';
import { claimedBy, isGroupGoing, type PoolObjects, readPoolObjects, type TakenPart } from '../cluster/pools.ts';

/**
 * A pool with the objects that its steps need, read at the start of each step. An object with another controller counts
 * as missing: this pool must not use or delete it, even if its references name it.
 */
export interface PoolSnapshot extends PoolObjects {
  /** An object to which the pool refers but that something else controls, with this controller. */
  taken?: TakenPart;
  cluster: Cluster | null;
  /**
   * Null if the Cluster refers to none that exists. If the group is being removed, it is then one that the Cluster owns.
   */
  infrastructureCluster: ProvidedCluster | null;
}

/** Whether the group is being removed, with the pool or without it. */
export const isRemoval = (objects: Pick<PoolObjects, 'pool' | 'infrastructure'>): boolean =>
  objects.pool.metadata.deletionTimestamp !== undefined || isGroupGoing(objects);

/** A pool with all its objects; undefined if the MachinePool no longer exists or another one has its name. */
export const readPool = async (
  objects: Pick<ObjectClient, 'get' | 'listOfCluster'>,
  ref: PoolRef,
): Promise<PoolSnapshot | undefined> => {
  const { namespace } = ref;
  const [pool, named] = await Promise.all([
    objects.get(kinds.machinePool, { namespace, name: ref.name }),
    objects.get(kinds.cluster, { namespace, name: ref.clusterName }),
  ]);
  if (!pool || pool.metadata.uid !== ref.uid) return undefined;
  const cluster = named?.metadata.uid === ref.clusterUid ? named : null;
  const provider = infrastructureOf('cluster', cluster?.spec.infrastructureRef);
  const name = cluster?.spec.infrastructureRef?.name ?? '';
  const [of, object] = await Promise.all([
    readPoolObjects(objects, pool),
    provider && objects.get(provider.cluster, { namespace, name }),
  ]);
  const isOpen = [of.infrastructure, of.config].some((part) => part !== null && !hasController(part));
  const pools = isOpen ? await objects.listOfCluster(kinds.machinePool, namespace, ref.clusterName) : [];
  const infrastructure = claimedBy(pool, of.infrastructure, pools);
  const config = claimedBy(pool, of.config, pools);
  const referred = cluster && unlessOthers(object, cluster);
  const owned = cluster && !referred && isRemoval(of) ? await findOwnedInfrastructure(objects, cluster) : null;
  return {
    ...of,
    ...(infrastructure ? { infrastructure: null, taken: infrastructure } : {}),
    ...(config ? { config: null, taken: infrastructure ?? config } : {}),
    cluster,
    infrastructureCluster: provider && referred ? { provider, object: referred } : owned,
  };
};

/** As upstream does: clusterctl deletes the objects of a paused cluster that was moved. */
export const isHeldBack = ({ pool, cluster, infrastructure }: PoolSnapshot): boolean =>
  (cluster !== null && isPaused(cluster)) ||
  isObjectPaused(pool) ||
  (infrastructure !== null && isObjectPaused(infrastructure));

/** The object key for a reference to a pool. */
export const poolKey = ({ namespace, name }: PoolRef) => ({ namespace, name });

/** The cluster in a reference to a pool. */
export const clusterOf = ({ namespace, clusterName, clusterUid }: PoolRef) => ({
  namespace,
  name: clusterName,
  uid: clusterUid,
});
