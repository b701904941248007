import type { DrainPod } from './facts.ts';
import type { Verdict } from './pods.ts';

/** The result of one check of a node. */
export interface DrainPlan {
  /** To be evicted now: those of the lowest order left on the node. */
  evict: readonly DrainPod[];
  /** Terminating. */
  leaving: readonly DrainPod[];
  /** To be evicted when those before them are gone. */
  evictLater: readonly DrainPod[];
  /** Awaited until they complete, now or after earlier ones. */
  awaited: readonly DrainPod[];
  awaitedLater: readonly DrainPod[];
}

/** Sorts the pods of a node into what happens to them now and what later. */
export const planDrain = (verdicts: readonly Verdict[]): DrainPlan => {
  const wanted = verdicts.filter(({ behavior }) => behavior !== 'Skip');
  const first = Math.min(...wanted.map(({ order }) => order));
  const among = (test: (verdict: Verdict) => boolean): DrainPod[] => wanted.filter(test).map(({ pod }) => pod);
  const isDrained = ({ behavior }: Verdict): boolean => behavior === 'Drain';
  const isLeaving = ({ pod }: Verdict): boolean => pod.metadata.deletionTimestamp !== undefined;
  return {
    evict: among((one) => isDrained(one) && !isLeaving(one) && one.order === first),
    evictLater: among((one) => isDrained(one) && !isLeaving(one) && one.order !== first),
    leaving: among((one) => isDrained(one) && isLeaving(one)),
    awaited: among((one) => !isDrained(one) && one.order === first),
    awaitedLater: among((one) => !isDrained(one) && one.order !== first),
  };
};

/** What is left after the evictions; `refused`: why, with the pods that were refused for it. */
export interface DrainOutcome extends Omit<DrainPlan, 'evict'> {
  refused: ReadonlyMap<string, readonly DrainPod[]>;
}

/** Whether every pod that must be removed is gone. */
export const isDrained = ({ leaving, evictLater, awaited, awaitedLater, refused }: DrainOutcome): boolean =>
  leaving.length + evictLater.length + awaited.length + awaitedLater.length + refused.size === 0;
