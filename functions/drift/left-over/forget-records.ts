import { TooLargeError } from '../../../shared/errors.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { INFRASTRUCTURES, infrastructureOf } from '../../../shared/providers/registry.ts';
import { safeReason } from '../../../shared/safe-reason.ts';
import { mapIsolated } from '../../../shared/store/concurrency.ts';
import { withBoundedLists } from '../bounded-lists.ts';
import type { DriftDependencies } from '../dependencies.ts';
import { PASSING_LIMITS, shareOf } from '../memory-limits.ts';
import { HOURLY_MINUTES, isHourly } from './hourly.ts';

type RecordDependencies = Pick<DriftDependencies, 'objects' | 'records' | 'clock' | 'log' | 'sweepMinutes'>;

const CONCURRENCY = 4;

/** The limit for each of these namespaces. */
const SHARE = shareOf(PASSING_LIMITS, CONCURRENCY);

const uidsOf = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.uid ?? '');

/** The clusters of external providers; they are found through the objects that refer to them. */
const recordedOutside = async (objects: RecordDependencies['objects'], namespace: string): Promise<KubeObject[]> => {
  const clusters = await objects.list(kinds.cluster, namespace);
  const found = await Promise.all(
    clusters.map(({ spec: { infrastructureRef } }) => {
      const provider = infrastructureOf('cluster', infrastructureRef);
      if (provider?.isOutside !== true || !infrastructureRef) return undefined;
      return objects.get(provider.cluster, { namespace, name: infrastructureRef.name });
    }),
  );
  return found.filter((object) => object !== undefined);
};

/**
 * Ends the records of objects in these namespaces that no longer exist because a user has removed their finalizers.
 * Records written within the last hour are kept, because their objects may be newer than the list; so are the records
 * of a namespace that takes too much memory. Returns the number of ended records.
 */
export const forgetRecords = async (deps: RecordDependencies, namespaces: readonly string[]): Promise<number> => {
  if (!isHourly(deps)) return 0;
  const { records, clock, log } = deps;
  const before = clock.now().getTime() - HOURLY_MINUTES * 60_000;
  const endIn = async (namespace: string): Promise<number> => {
    const old = (await records.list(namespace)).filter(({ at }) => at < before);
    if (old.length === 0) return 0;
    const objects = withBoundedLists(deps.objects, SHARE);
    const outside = await recordedOutside(objects, namespace);
    const lists = INFRASTRUCTURES.flatMap(({ machine, cluster }) => [
      objects.list(machine, namespace),
      objects.list(cluster, namespace),
    ]);
    const alive = new Set([...outside, ...(await Promise.all(lists)).flat()].flatMap((object) => uidsOf([object])));
    const gone = old.filter(({ uid }) => !alive.has(uid));
    const results = await Promise.all(gone.map((one) => records.end(one, one.version)));
    return results.filter(Boolean).length;
  };
  const ended = await mapIsolated(namespaces, CONCURRENCY, endIn, (namespace, error) => {
    if (!(error instanceof TooLargeError)) throw error;
    log.error('records of deleted objects could not be removed', { namespace, reason: safeReason(error) });
  });
  return ended.reduce((sum, count) => sum + count, 0);
};
