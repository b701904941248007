import { formatTime } from '../../../shared/kube-api/object.ts';
import { makeReadBudget } from '../../../shared/kube-api/storage/read-budget.ts';
import { safeReason } from '../../../shared/safe-reason.ts';
import { mapConcurrently, mapIsolated } from '../../../shared/store/concurrency.ts';
import { HELD_KINDS } from '../../cluster/abandoned/kinds.ts';
import { type HeldObject, mayBeAbandoned, releaseAbandoned } from '../../cluster/abandoned/release.ts';
import { withBoundedLists } from '../bounded-lists.ts';
import type { DriftDependencies } from '../dependencies.ts';
import { PASSING_LIMITS, shareOf } from '../memory-limits.ts';
import { HOURLY_MINUTES, isHourly } from './hourly.ts';

type ReleaseDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'log' | 'sweepMinutes'>;

const CONCURRENCY = 4;

/** One kind at a time. Of each kind, only the objects that may be abandoned are kept. */
const KINDS_AT_ONCE = 1;

/**
 * Releases objects in these namespaces that have been in deletion for an hour without a pass that could find them.
 * Costs one list of each kind per hour. A failure in one namespace does not affect the others. Returns the number of
 * released objects.
 */
export const releaseAbandonedObjects = async (
  deps: ReleaseDependencies,
  namespaces: readonly string[],
): Promise<number> => {
  if (!isHourly(deps)) return 0;
  const { objects, clock, log } = deps;
  const before = formatTime(new Date(clock.now().getTime() - HOURLY_MINUTES * 60_000));
  const lists = await mapConcurrently(HELD_KINDS, KINDS_AT_ONCE, async (kind): Promise<HeldObject[]> => {
    const found = await objects.survey(kind.resource, namespaces, makeReadBudget(PASSING_LIMITS));
    return found
      .map((object) => ({ kind, object }))
      .filter((one) => mayBeAbandoned(one) && (one.object.metadata.deletionTimestamp ?? '') < before);
  });
  const byNamespace = Map.groupBy(lists.flat(), ({ object }) => object.metadata.namespace ?? '');
  const released = await mapIsolated(
    [...byNamespace],
    CONCURRENCY,
    ([namespace, candidates]) =>
      releaseAbandoned(withBoundedLists(objects, shareOf(PASSING_LIMITS, CONCURRENCY)), namespace, candidates),
    ([namespace], error) =>
      log.error('objects in deletion could not be released', { namespace, reason: safeReason(error) }),
  );
  return released.reduce((sum, count) => sum + count, 0);
};
