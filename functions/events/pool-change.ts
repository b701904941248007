import { kinds } from '../../shared/kinds/index.ts';
import type { InfrastructurePool } from '../../shared/kinds/infrastructure.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { withoutReconciled } from '../../shared/plan/pools/digest.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { touchAfter } from '../../shared/store/pledges.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import type { PoolChange } from '../providers/event-port.ts';
import type { EventDependencies } from './dependencies.ts';

/**
 * The group of a pool has launched or is terminating an instance: the pool is checked again. The check finds the
 * changes itself, so the number and order of events do not matter. Returns the number of pools concerned.
 */
export const poolChanged = async (
  deps: EventDependencies,
  { pool: provider }: Infrastructure,
  change: PoolChange,
): Promise<number> => {
  if (!provider) return 0;
  const all = await deps.objects.list(provider.kind, change.namespace);
  const concerned = all.filter((pool) => change.concerns(pool));
  for (const pool of concerned) {
    const cluster = await clusterOf(deps, pool);
    if (!cluster) continue;
    const ref = clusterRefOf(cluster);
    await touchAfter(deps, [ref], async () => {
      const { namespace = '', name } = pool.metadata;
      await deps.objects.mutate(provider.kind, { namespace, name }, withoutReconciled, { from: pool });
      return [ref];
    });
  }
  if (concerned.length > 0) deps.log.info('event handled', { type: change.what, pools: concerned.length });
  return concerned.length;
};

const clusterOf = async ({ objects }: EventDependencies, { metadata }: InfrastructurePool) => {
  const name = metadata.labels?.[LABEL.clusterName];
  return name ? objects.get(kinds.cluster, { namespace: metadata.namespace ?? '', name }) : undefined;
};
