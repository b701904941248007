import { formatTime } from '../../shared/kube-api/object.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import { HELD_KINDS } from '../cluster/abandoned/kinds.ts';
import { type HeldObject, mayBeAbandoned, releaseAbandoned } from '../cluster/abandoned/release.ts';
import type { DriftDependencies } from './dependencies.ts';
import { HOURLY_MINUTES, isHourly } from './hourly.ts';

type ReleaseDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'log' | 'sweepMinutes'>;

const CONCURRENCY = 4;

/**
 * Releases objects of these namespaces that have been in deletion for an hour without a pass that could find them. One
 * list of each kind an hour. A namespace in which this fails stops no other. Returns how many were released.
 */
export const releaseAbandonedObjects = async (
  deps: ReleaseDependencies,
  namespaces: readonly string[],
): Promise<number> => {
  if (!isHourly(deps)) return 0;
  const { objects, clock, log } = deps;
  const before = formatTime(new Date(clock.now().getTime() - HOURLY_MINUTES * 60_000));
  const lists = await Promise.all(
    HELD_KINDS.map(async (kind): Promise<HeldObject[]> => {
      const found = await objects.survey(kind.resource, namespaces);
      return found.map((object) => ({ kind, object }));
    }),
  );
  const old = lists
    .flat()
    .filter((one) => mayBeAbandoned(one) && (one.object.metadata.deletionTimestamp ?? '') < before);
  const byNamespace = Map.groupBy(old, ({ object }) => object.metadata.namespace ?? '');
  const released = await mapIsolated(
    [...byNamespace],
    CONCURRENCY,
    ([namespace, candidates]) => releaseAbandoned(objects, namespace, candidates),
    ([namespace], error) =>
      log.error('objects in deletion could not be released', { namespace, reason: safeReason(error) }),
  );
  return released.reduce((sum, count) => sum + count, 0);
};
