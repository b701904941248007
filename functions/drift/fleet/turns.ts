import type { Clock } from '../../../shared/clock.ts';

/**
 * This many clusters are checked in detail per sweep: their nodes, and data that a cloud returns only for one resource
 * at a time.
 */
const CLOSE_LOOKS = 20;

interface When {
  clock: Pick<Clock, 'now'>;
  sweepMinutes: number;
}

const sweepsAt = ({ clock, sweepMinutes }: When): number => Math.floor(clock.now().getTime() / (sweepMinutes * 60_000));

/** The sweep asks silent servers only in every third sweep: most of their cost is the time that it waits for them. */
const SILENT_EVERY = 3;

/** Whether servers that have not answered before are queried in this sweep. */
export const isTurnOfSilent = (when: When): boolean => sweepsAt(when) % SILENT_EVERY === 0;

type Listed = readonly { cluster: { metadata: { uid?: string } } }[];

const inRotation = (clusters: Listed, round: number): ReadonlySet<string> => {
  const inOrder = clusters.map(({ cluster }) => cluster.metadata.uid ?? '').sort();
  if (inOrder.length <= CLOSE_LOOKS) return new Set(inOrder);
  const first = (round * CLOSE_LOOKS) % inOrder.length;
  return new Set([...inOrder, ...inOrder].slice(first, first + CLOSE_LOOKS));
};

/**
 * Uids of the clusters whose turn it is for a detailed check: a fixed number per sweep, in rotation, so that calls do
 * not grow with the clusters. All of them get their turn within `clusters / CLOSE_LOOKS` sweeps.
 */
export const turnOf = (clusters: Listed, when: When): ReadonlySet<string> => inRotation(clusters, sweepsAt(when));

/**
 * Like `turnOf`, for the sweeps in which silent servers are queried: each of these is one round. Empty in all other
 * sweeps.
 */
export const turnOfSilent = (clusters: Listed, when: When): ReadonlySet<string> =>
  isTurnOfSilent(when) ? inRotation(clusters, sweepsAt(when) / SILENT_EVERY) : new Set();
