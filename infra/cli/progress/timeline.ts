import { factsOf } from './facts.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** The times when something began and when it was first seen to be done, in seconds since the start. */
export interface Moment {
  since: number;
  done?: number;
}

/** The moments until now, by cluster (`namespace/name`) and the fact's key. */
export type Timeline = ReadonlyMap<string, Moment>;

/** The key of the last poll of a cluster. */
const LOOK = 'look';

const momentKey = ({ namespace, name }: ClusterSnapshot, key: string): string => `${namespace}/${name}/${key}`;

/** The moment of a fact; a new fact begins now. */
export const momentOf = (timeline: Timeline, snapshot: ClusterSnapshot, key: string, now: number): Moment =>
  timeline.get(momentKey(snapshot, key)) ?? { since: now };

/**
 * The timeline after a snapshot, taken `seconds` after the start. New parts started after the last poll; parts that are
 * no longer done start again.
 */
export const advance = (timeline: Timeline, snapshot: ClusterSnapshot, seconds: number): Timeline => {
  const next = new Map(timeline);
  const { since: lastLook } = momentOf(timeline, snapshot, LOOK, 0);
  for (const { key, done } of factsOf(snapshot)) {
    const { since, done: before } = momentOf(timeline, snapshot, key, lastLook);
    next.set(momentKey(snapshot, key), done ? { since, done: before ?? seconds } : { since });
  }
  return next.set(momentKey(snapshot, LOOK), { since: seconds });
};
