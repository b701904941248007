import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import { absenceOf } from '../../shared/kinds/reference.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { count } from '../../shared/plan/words.ts';
import type { PlacedPool, PoolForecast } from '../../shared/providers/infrastructure.ts';
import type { WithPools } from '../../shared/providers/registry.ts';
import type { PoolObjects } from '../cluster/pools.ts';
import { type Allowance, allowedMachines } from './allowance.ts';
import { named, type PoolPlan } from './plan.ts';

/**
 * The pools of a cluster, the infrastructure in which their groups are placed, and the quotas that limit their
 * Machines.
 */
export interface PoolsOf {
  pools: readonly PoolObjects[];
  infrastructureCluster: InfrastructureCluster | null;
  machines: readonly Machine[];
  allowance: Allowance;
}

const NONE: PoolForecast = { lines: [], instances: { more: 0, fewer: 0, replaced: 0 } };

/** An object to which the pool refers and that does not exist; without it, beginPool does not begin. */
const lacking = ({ pool, provider, infrastructure, config }: PoolObjects): string | undefined => {
  const { bootstrap, infrastructureRef } = pool.spec.template.spec;
  if (!provider || !infrastructure) return absenceOf(infrastructureRef);
  return bootstrap.configRef && !config ? absenceOf(bootstrap.configRef) : undefined;
};

/** A pool whose group can be planned. */
const placed = (
  objects: PoolObjects | undefined,
  cluster: InfrastructureCluster | null,
): { provider: WithPools; place: PlacedPool } | undefined => {
  if (!objects || !cluster || lacking(objects) !== undefined) return undefined;
  const { pool, provider, infrastructure, config } = objects;
  return provider && infrastructure ? { provider, place: { pool, infrastructure, config, cluster } } : undefined;
};

const forecastOf = (after: PoolObjects, is: PoolsOf, was: PoolsOf | undefined): PoolForecast => {
  const before = was?.pools.find(({ pool }) => pool.metadata.name === after.pool.metadata.name);
  const next = placed(after, is.infrastructureCluster);
  const old = placed(before, was?.infrastructureCluster ?? null);
  const going = (objects: PoolObjects | undefined): boolean =>
    objects?.pool.metadata.deletionTimestamp !== undefined ||
    objects?.infrastructure?.metadata.deletionTimestamp !== undefined;
  if (going(after)) {
    return next && !going(before) ? next.provider.pool.preview.deletion(next.place) : NONE;
  }
  const problem = lacking(after);
  if (problem !== undefined) {
    const isKnown = before !== undefined && lacking(before) === problem;
    return isKnown ? NONE : { ...NONE, lines: [`is blocked: ${problem}`] };
  }
  if (!next) return NONE;
  const { preview } = next.provider.pool;
  const found = preview.change(next.place, old?.place);
  // Lines that would also apply without the change are not effects of it.
  const same = old ? preview.change(old.place, old.place).lines : [];
  return { ...found, lines: found.lines.filter((line) => !same.includes(line)) };
};

const isHeld = ({ pool, infrastructure }: PoolObjects): boolean =>
  isObjectPaused(pool) || (infrastructure !== null && isObjectPaused(infrastructure));

/**
 * A forecast within the quotas for Machines, because each instance gets a Machine. `taken`: the number that previous
 * pools use up.
 */
const withinQuota = (forecast: PoolForecast, { machines, allowance }: PoolsOf, taken: number): PoolForecast => {
  const { lines, instances } = forecast;
  const allowed = allowedMachines(allowance, machines, [kinds.machine], taken + instances.more);
  const lack = Math.min(instances.more, taken + instances.more - allowed.count);
  if (lack === 0) return forecast;
  const line = `lacks ${count(lack, 'instance')}: ${allowed.refused}; raise the quota or delete unneeded objects`;
  return { lines: [...lines, line], instances: { ...instances, more: instances.more - lack } };
};

/** The effects of a change on the groups of a cluster's MachinePools. */
export const poolPlans = (is: PoolsOf, was: PoolsOf | undefined): PoolPlan[] => {
  let taken = 0;
  return is.pools.flatMap((objects) => {
    const { lines, instances } = withinQuota(forecastOf(objects, is, was), is, taken);
    taken += instances.more;
    if (lines.length === 0) return [];
    const first = isHeld(objects) ? ['is paused: this happens once it is unpaused'] : [];
    return [{ owner: named(objects.pool), lines: [...first, ...lines], instances }];
  });
};
