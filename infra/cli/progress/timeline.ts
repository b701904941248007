import { factsOf } from './facts.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** When something was first seen and when it was first seen to be done, in seconds since the start. */
export interface Moment {
  since: number;
  done?: number;
}

/** By cluster (`namespace/name`) and the fact's key. */
export type Timeline = ReadonlyMap<string, Moment>;

export const momentKey = ({ namespace, name }: ClusterSnapshot, key: string): string => `${namespace}/${name}/${key}`;

/** The timeline with what a snapshot, taken `seconds` after the start, adds. What is no longer done starts anew. */
export const advance = (timeline: Timeline, snapshot: ClusterSnapshot, seconds: number): Timeline => {
  const next = new Map(timeline);
  for (const { key, done } of factsOf(snapshot)) {
    const name = momentKey(snapshot, key);
    const { since, done: before } = next.get(name) ?? { since: seconds };
    next.set(name, done ? { since, done: before ?? seconds } : { since });
  }
  return next;
};
