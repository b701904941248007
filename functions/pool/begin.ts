import type { MachinePool } from '../../shared/kinds/index.ts';
import { formatTime } from '../../shared/kube-api/object.ts';
import type { BeginPoolResult, PoolInput } from '../../shared/work/payloads.ts';
import { ownPoolObjects } from '../cluster/pool-owners.ts';
import type { PoolDependencies } from './dependencies.ts';
import { isHeldBack, isRemoval, type PoolSnapshot, readPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';

/** Longer than any wait between two checks, so that a running execution always keeps its lease. */
export const POOL_LEASE_SECONDS = 420;

const STOP: BeginPoolResult = { proceed: false, removal: false, infrastructure: '', since: '' };

/**
 * Acquires the pool's lease if everything that its group needs exists. A missing object is no error: the cluster's next
 * pass retries. The pool becomes the owner of the objects to which it refers.
 */
export const beginPool =
  (deps: PoolDependencies) =>
  async ({ pool: ref, holder }: PoolInput): Promise<BeginPoolResult> => {
    const { objects, work, clock } = deps;
    const snapshot = await readPool(objects, ref);
    if (!snapshot || isHeldBack(snapshot)) return STOP;
    const { pool, provider } = snapshot;
    const isPoolGoing = pool.metadata.deletionTimestamp !== undefined;
    const removal = isRemoval(snapshot);
    if (!isPoolGoing && snapshot.taken) await refuse(deps, pool, snapshot.taken);
    if (!removal && !mayBegin(snapshot)) return STOP;
    const { acquired } = await work.beginMachine(ref, holder, POOL_LEASE_SECONDS);
    if (!acquired) return STOP;
    if (!removal) await own(deps, snapshot);
    return { proceed: true, removal, infrastructure: provider?.name ?? '', since: formatTime(clock.now()) };
  };

const mayBegin = ({ pool, config, cluster, infrastructure, infrastructureCluster, taken }: PoolSnapshot): boolean => {
  const { configRef, dataSecretName } = pool.spec.template.spec.bootstrap;
  if (taken || !cluster || cluster.metadata.deletionTimestamp || !infrastructure) return false;
  const hasBootstrap = configRef ? config !== null : dataSecretName !== undefined;
  const hasFoundation = infrastructureCluster?.object.status?.ready === true;
  return hasBootstrap && hasFoundation && cluster.spec.controlPlaneEndpoint?.host !== undefined;
};

/**
 * Two pools that refer to the same object would overwrite each other's changes. As upstream does, refuses to become a
 * second controller.
 */
const refuse = async (deps: PoolDependencies, pool: MachinePool, taken: NonNullable<PoolSnapshot['taken']>) => {
  const { object, controller } = taken;
  const message = `${object.kind} ${object.metadata.name} belongs to ${controller.kind} ${controller.name}; refer to another object`;
  await poolRecorder(deps).warning(pool, 'ReferenceNotOwned', message);
};

/** What another pool may claim is not in the snapshot. */
const own = async ({ objects }: PoolDependencies, snapshot: PoolSnapshot): Promise<void> => {
  const { cluster, pool } = snapshot;
  if (cluster) await ownPoolObjects(objects, cluster, snapshot, { isHeld: true, pools: [pool] });
};
