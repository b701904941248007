import type { Clock } from '../../shared/clock.ts';

/** So many clusters are looked at closely in a sweep: what a cloud shows of one thing at a time only, and their nodes. */
const CLOSE_LOOKS = 20;

const sweepsAt = ({ clock, sweepMinutes }: { clock: Pick<Clock, 'now'>; sweepMinutes: number }): number =>
  Math.floor(clock.now().getTime() / (sweepMinutes * 60_000));

/** A server that does not answer makes the sweep wait for it, which is most of what the cluster costs. */
const SILENT_EVERY = 3;

/** Whether this is a sweep in which servers are asked that have not answered before. */
export const isTurnOfSilent = (when: { clock: Pick<Clock, 'now'>; sweepMinutes: number }): boolean =>
  sweepsAt(when) % SILENT_EVERY === 0;

/**
 * Uids of the clusters whose turn it is to be looked at closely: a fixed number a sweep, one after the other, so that calls do not
 * grow with the clusters. All of them have their turn within `clusters / CLOSE_LOOKS` sweeps.
 */
export const turnOf = (
  clusters: readonly { cluster: { metadata: { uid?: string } } }[],
  when: { clock: Pick<Clock, 'now'>; sweepMinutes: number },
): ReadonlySet<string> => {
  const inOrder = clusters.map(({ cluster }) => cluster.metadata.uid ?? '').sort();
  if (inOrder.length <= CLOSE_LOOKS) return new Set(inOrder);
  const first = (sweepsAt(when) * CLOSE_LOOKS) % inOrder.length;
  return new Set([...inOrder, ...inOrder].slice(first, first + CLOSE_LOOKS));
};
