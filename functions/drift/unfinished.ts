import { TooLargeError } from '../../shared/errors.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import type { OpenPledge } from '../../shared/store/work/pledges.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import type { DriftDependencies } from './dependencies.ts';
import type { SweepRun } from './run.ts';

const CONCURRENCY = 10;

/** One pledge at a time, because each may need all objects of its namespace. */
const PLEDGES_AT_ONCE = 1;

/**
 * Requests a pass over each cluster. If one cannot be started, the others continue, and its error is added to the
 * faults of the run. True if all were started.
 */
export const touchAll = async (
  { touch, log }: Pick<DriftDependencies, 'touch' | 'log'>,
  { faults }: Pick<SweepRun, 'faults'>,
  clusters: readonly ClusterRef[],
): Promise<boolean> => {
  let isWhole = true;
  await mapIsolated(
    clusters,
    CONCURRENCY,
    (cluster) => touch(cluster),
    ({ namespace, name }, error) => {
      log.error('a pass could not be requested', { namespace, name, reason: safeReason(error) });
      faults.push(error);
      isWhole = false;
    },
  );
  return isWhole;
};

/**
 * The clusters of a pledge that was not redeemed. None if finding them takes too much memory: a namespace must not keep
 * the sweep from its work, and only its own clusters then wait for their next pass.
 */
const clustersOf = async (
  { affected, log }: Pick<DriftDependencies, 'affected' | 'log'>,
  pledge: OpenPledge,
): Promise<readonly ClusterRef[]> => {
  if (!('write' in pledge)) return pledge.clusters;
  try {
    return await affected(pledge.write);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const { namespace, name } = pledge.write;
    log.error('the clusters of a pledge take too much memory to be found', { namespace, name });
    return [];
  }
};

/**
 * After this many touches, a lost start no longer explains the delay: each sweep has requested a pass, and none
 * started.
 */
const STALLED_TOUCHES = 3;

export interface Unfinished {
  /** Clusters with unfinished work, or for which a touch was pledged. */
  clusters: ClusterRef[];
  /** The number of these that were touched repeatedly although no pass began. */
  stalled: number;
}

/**
 * Touches the clusters with unfinished work, and those with a pledge of a process that died. A pledge is deleted when
 * its process can no longer be running.
 */
export const touchUnfinished = async (deps: DriftDependencies, run: SweepRun): Promise<Unfinished> => {
  const { work, pledges, clock, log } = deps;
  const now = clock.now();
  const [due, open] = await Promise.all([work.due(now), pledges.open(now)]);
  const pledged = await mapIsolated(
    open,
    PLEDGES_AT_ONCE,
    async (pledge) => ({ pledge, clusters: await clustersOf(deps, pledge) }),
    ({ id }, error) => {
      log.error('the clusters of a pledge could not be found', { pledge: id, reason: safeReason(error) });
      run.faults.push(error);
    },
  );
  const all = [...due.map(({ cluster }) => cluster), ...pledged.flatMap(({ clusters }) => clusters)];
  const clusters = [...new Map(all.map((cluster) => [cluster.uid, cluster])).values()];
  const stalled = due.filter(({ unbegun }) => unbegun >= STALLED_TOUCHES);
  for (const {
    cluster: { namespace, name },
    unbegun,
  } of stalled)
    log.error('passes are requested, and none begins', { namespace, name, requests: unbegun });
  const found = { clusters, stalled: stalled.length };
  const isWhole = (await touchAll(deps, run, clusters)) && pledged.length === open.length;
  // The pledges are kept if anything went wrong: the next sweep tries again.
  if (!isWhole) return found;
  const kept = pledged.filter(({ pledge }) => pledge.isAbandoned);
  await Promise.all(kept.map(({ pledge }) => pledges.redeem(pledge.id)));
  return found;
};
