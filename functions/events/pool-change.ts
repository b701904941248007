import { kinds } from '../../shared/kinds/index.ts';
import type { InfrastructurePool } from '../../shared/kinds/infrastructure.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { makeReadBudget, type ReadLimits } from '../../shared/kube-api/storage/read-budget.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { withGroupChanged } from '../../shared/plan/pools/digest.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { touchAfter } from '../../shared/store/work/pledges.ts';
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
  const concerned = await poolsConcerned(deps, provider.kind, change);
  for (const pool of concerned) {
    const cluster = await clusterOf(deps, pool);
    if (!cluster) continue;
    const ref = clusterRefOf(cluster);
    await touchAfter(deps, [ref], async () => {
      const { namespace = '', name } = pool.metadata;
      await deps.objects.mutate(provider.kind, { namespace, name }, withGroupChanged, { from: pool });
      return [ref];
    });
  }
  if (concerned.length > 0) deps.log.info('event handled', { type: change.what, pools: concerned.length });
  return concerned.length;
};

const MEGABYTE = 1024 * 1024;

/** A part of the function's 512 MB. If a namespace needs more, its pools are left to the sweep. */
const LIMITS: ReadLimits = { namespace: 16 * MEGABYTE, total: 128 * MEGABYTE };

/**
 * The pools to which the group belongs. Another group in the account costs one request to the index, and a read if its
 * name has the form of our group names. It never costs a list, because such groups may cause most of the events.
 */
const poolsConcerned = async (
  deps: EventDependencies,
  kind: ResourceDefinition<InfrastructurePool>,
  change: PoolChange,
): Promise<InfrastructurePool[]> => {
  const likely = (await likelyPools(deps, kind, change)).filter((pool) => change.concerns(pool));
  return likely.length > 0 ? likely : poolsWithTakenOver(deps, kind, change);
};

const likelyPools = async (
  { objects }: EventDependencies,
  kind: ResourceDefinition<InfrastructurePool>,
  { likely }: PoolChange,
): Promise<InfrastructurePool[]> => {
  if (!likely) return [];
  const { namespace, name } = likely;
  if (name === undefined) return objects.list(kind, namespace, makeReadBudget(LIMITS));
  const pool = await objects.get(kind, { namespace, name });
  return pool ? [pool] : [];
};

/** An adopted group keeps its name, which is in the pool's record. */
const poolsWithTakenOver = async (
  { objects, findByGroup }: EventDependencies,
  kind: ResourceDefinition<InfrastructurePool>,
  change: PoolChange,
): Promise<InfrastructurePool[]> => {
  const namespaces = new Set((await findByGroup(change.group)).map(({ namespace }) => namespace));
  const budget = makeReadBudget(LIMITS);
  const pools = await Promise.all([...namespaces].map((namespace) => objects.list(kind, namespace, budget)));
  return pools.flat().filter((pool) => change.concerns(pool));
};

const clusterOf = async ({ objects }: EventDependencies, { metadata }: InfrastructurePool) => {
  const name = metadata.labels?.[LABEL.clusterName];
  return name ? objects.get(kinds.cluster, { namespace: metadata.namespace ?? '', name }) : undefined;
};
