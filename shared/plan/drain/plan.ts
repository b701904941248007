import type { DrainPod } from './facts.ts';
import type { Verdict } from './pods.ts';

/** The result of one check of a node. */
export interface DrainPlan {
  /** Pods to be evicted now: those of the lowest order that is left on the node. */
  evict: readonly DrainPod[];
  /** Pods that are terminating. */
  leaving: readonly DrainPod[];
  /** Pods to be evicted when those before them are gone. */
  evictLater: readonly DrainPod[];
  /** Pods whose completion is awaited, now or after earlier ones. */
  awaited: readonly DrainPod[];
  awaitedLater: readonly DrainPod[];
}

/** Sorts the pods of a node by what happens to them now and later. */
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

/** What is left after the evictions. `refused`: the reasons, each with the pods that were refused for it. */
export interface DrainOutcome extends Omit<DrainPlan, 'evict'> {
  refused: ReadonlyMap<string, readonly DrainPod[]>;
}

/** Whether every pod that must be removed is gone. */
export const isDrained = ({ leaving, evictLater, awaited, awaitedLater, refused }: DrainOutcome): boolean =>
  leaving.length + evictLater.length + awaited.length + awaitedLater.length + refused.size === 0;
