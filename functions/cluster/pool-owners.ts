import { type Cluster, kinds, type MachinePool } from '../../shared/kinds/index.ts';
import { withFinalizer } from '../../shared/kube-api/registry/finalizers.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { FINALIZER } from '../../shared/plan/labels.ts';
import { withFurtherOwner, withLostController } from '../../shared/plan/machines/ownership.ts';
import { hasMemories } from '../../shared/plan/memory/memory.ts';
import { memoryOf } from '../../shared/providers/memory.ts';
import { restoreDataOwner } from './lost-data-owner.ts';
import { claimedBy, type PoolObjects } from './pools.ts';
import { writeChange } from './write-change.ts';

type Objects = Pick<ObjectClient, 'get' | 'mutate'>;

const owned =
  (cluster: Cluster, isHeld: boolean) =>
  (pool: MachinePool): MachinePool | undefined => {
    if (pool.metadata.deletionTimestamp) return undefined;
    const next = withFurtherOwner(pool, cluster);
    const held = isHeld ? withFinalizer(FINALIZER.machinePool)(next) : undefined;
    return held ?? (next === pool ? undefined : next);
  };

/** Whether something may exist for a pool: work on its group has started here, or it was moved here with instances. */
export const isBegun = ({ pool, provider, infrastructure }: PoolObjects, pools: readonly MachinePool[]): boolean => {
  const memory = provider && memoryOf(provider.pool.kind);
  if (!memory || !infrastructure || claimedBy(pool, infrastructure, pools)) return false;
  return hasMemories(memory, infrastructure) || (infrastructure.spec?.providerIDList ?? []).length > 0;
};

/**
 * Makes the Cluster an owner of a pool, and the pool the controller of the objects that it refers to. If `isHeld`, they
 * also get the finalizers that keep them until the group is gone. A pool whose group no provider here manages gets none:
 * no execution would remove it. `pools`: all of the cluster, of which some may refer to the same objects. Nothing is
 * written if nothing is missing.
 */
export const ownPoolObjects = async (
  objects: Objects,
  cluster: Cluster,
  { pool, provider, infrastructure, config, distribution }: PoolObjects,
  { isHeld, pools }: { isHeld: boolean; pools: readonly MachinePool[] },
): Promise<void> => {
  await writeChange(objects, kinds.machinePool, pool, owned(cluster, isHeld && provider !== undefined));
  if (provider && infrastructure) {
    const finalizer = isHeld ? provider.pool.finalizer : undefined;
    await writeChange(objects, provider.pool.kind, infrastructure, (current) =>
      claimedBy(pool, current, pools) ? undefined : withLostController(current, pool, finalizer),
    );
  }
  if (!config || !distribution || claimedBy(pool, config, pools) || !withLostController(config, pool)) return;
  // First: as long as the configuration lacks its owner, its data is checked again.
  await restoreDataOwner(objects, config);
  await writeChange(objects, distribution.config, config, (current) =>
    claimedBy(pool, current, pools) ? undefined : withLostController(current, pool),
  );
};
