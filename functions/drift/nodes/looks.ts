import { inFairOrder } from '../../../shared/kube-api/garbage/fair-order.ts';
import { isSettled } from '../../../shared/plan/machines/status.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import type { PlacedMachine } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import { isTurnOfSilent, turnOf, turnOfSilent } from '../fleet/turns.ts';
import { isHourly } from '../left-over/hourly.ts';
import type { SweepRun } from '../run.ts';
import { hasDuties } from './duties.ts';
import { type Checks, checksOf } from './health-drift.ts';

/** The clusters that a sweep queries. */
export interface Looks {
  /**
   * In this order, which differs between sweeps: a sweep that has no time for all clusters starts with others than the
   * last.
   */
  readonly clusters: readonly PlacedCluster[];
  /** Uids of the clusters that wait for nodes or for their API server. */
  readonly waiting: ReadonlySet<string>;
  /** Whether hourly retries were due when the sweep began; its queries take minutes. */
  readonly isHourly: boolean;
}

/** Whether the API server answered the last query. */
export const hasAnswered = ({ cluster }: PlacedCluster): boolean =>
  isTrue(cluster.status?.conditions, 'RemoteConnectionProbe');

/** Whether the API server did not answer the last query. Both are false for a cluster that was never probed. */
export const isSilent = ({ cluster }: PlacedCluster): boolean =>
  findCondition(cluster.status?.conditions, 'RemoteConnectionProbe')?.status === 'False';

/**
 * Whether a cluster waits for the nodes of existing instances, or for its API server; passes over such a cluster are
 * rare.
 */
const isAwaited = (machines: readonly PlacedMachine[]): boolean =>
  machines.some(({ machine }) => machine.spec.providerID && !isSettled(machine));

/**
 * The clusters to query: those whose `turn` it is, those that wait (in their own turns), and all that have health
 * checks, or whose Services or nodes get load balancers or routes. For the last group, silent servers are queried only
 * in every third sweep: most of their cost is the time until the query times out, and without an answer nothing is
 * concluded.
 */
export const looksOf = async (
  deps: DriftDependencies,
  clusters: readonly PlacedCluster[],
  machinesOf: (at: PlacedCluster) => readonly PlacedMachine[],
  { turn, run, checks }: { turn: ReadonlySet<string>; run: SweepRun; checks: Checks },
): Promise<Looks> => {
  const awaited = await run.each('see what it waits for', clusters, (at) => (isAwaited(machinesOf(at)) ? [at] : []));
  const all = awaited.flat();
  const unanswered = all.filter((at) => !hasAnswered(at));
  const waiting = new Set([...turnOf(all.filter(hasAnswered), deps), ...turnOfSilent(unanswered, deps)]);
  const isTurn = isTurnOfSilent(deps);
  const isDue = isHourly(deps);
  const isLookedAt = (at: PlacedCluster): boolean => {
    const { uid = '' } = at.cluster.metadata;
    if (turn.has(uid) || waiting.has(uid)) return true;
    if (isSilent(at) && !isTurn) return false;
    return checksOf(checks, at.cluster).length > 0 || hasDuties(at.cluster, isDue);
  };
  const looked = clusters.filter(
    (at) => !at.cluster.metadata.deletionTimestamp && !isPaused(at.cluster) && isLookedAt(at),
  );
  const inOrder = (some: readonly PlacedCluster[]) =>
    inFairOrder(some, ({ cluster }) => cluster.metadata.namespace ?? '', deps.clock.now());
  const others = looked.filter((at) => !isSilent(at));
  return { clusters: [...inOrder(others), ...inOrder(looked.filter(isSilent))], waiting, isHourly: isDue };
};
