import type { Clock } from '../../shared/clock.ts';

/** So many clusters are looked at closely in a sweep: what AWS tells of each thing by itself only, and their nodes. */
const CLOSE_LOOKS = 20;

/**
 * The clusters whose turn it is to be looked at closely: a fixed number a sweep, one after the other, so that calls do not
 * grow with the clusters. All of them have their turn within `clusters / CLOSE_LOOKS` sweeps.
 */
export const turnOf = <T extends { cluster: { metadata: { uid?: string } } }>(
  clusters: readonly T[],
  { clock, sweepMinutes }: { clock: Pick<Clock, 'now'>; sweepMinutes: number },
): ReadonlySet<T> => {
  const uidOf = ({ cluster }: T) => cluster.metadata.uid ?? '';
  const inOrder = clusters.toSorted((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
  if (inOrder.length <= CLOSE_LOOKS) return new Set(inOrder);
  const sweeps = Math.floor(clock.now().getTime() / (sweepMinutes * 60_000));
  const first = (sweeps * CLOSE_LOOKS) % inOrder.length;
  return new Set([...inOrder, ...inOrder].slice(first, first + CLOSE_LOOKS));
};
