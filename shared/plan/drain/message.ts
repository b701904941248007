import type { DrainPod } from './facts.ts';
import { nameSome } from './names.ts';
import type { DrainOutcome } from './plan.ts';
import { podKey } from './pods.ts';

/** Cluster API's own clause, which it searches for in order to summarize many machines. */
const BUDGET = "cannot evict pod as it would violate the pod's disruption budget.";

const MOST_PODS = 3;
const MOST_REASONS = 5;
/** The message of an admission webhook may have any length, and a condition must stay readable. */
const LONGEST_REASON = 1000;

const named = (pods: readonly DrainPod[]): string => nameSome(pods.map(podKey), MOST_PODS);
const counted = (pods: readonly DrainPod[]): string => `${pods.length === 1 ? 'Pod' : 'Pods'} ${named(pods)}`;

const refusal = (why: string): string => {
  const clause = why.replaceAll(BUDGET.replace('cannot', 'Cannot'), BUDGET).slice(0, LONGEST_REASON);
  return clause.startsWith(BUDGET) ? clause : `failed to evict Pod, ${clause}`;
};

const refusals = (refused: DrainOutcome['refused']): string[] => {
  const sorted = [...refused].sort(([a], [b]) => (a < b ? -1 : 1));
  const others = sorted.slice(MOST_REASONS).reduce((count, [, pods]) => count + pods.length, 0);
  return [
    ...sorted.slice(0, MOST_REASONS).map(([why, pods]) => `* ${counted(pods)}: ${refusal(why)}`),
    ...(others > 0 ? [`* ${others} ${others === 1 ? 'Pod' : 'Pods'} with other issues`] : []),
  ];
};

const onePer = (pods: readonly DrainPod[], line: (pods: readonly DrainPod[]) => string): string[] =>
  pods.length > 0 ? [line(pods)] : [];

/** The beginning of a drain's message. */
const drainTitle = (startedAt: string): string => `Drain not completed yet (started at ${startedAt}):`;

/** What a drain waits for, with the pods and the reasons, in Cluster API's wording and limits. */
export const drainMessage = (outcome: DrainOutcome, startedAt: string): string =>
  [
    drainTitle(startedAt),
    ...onePer(
      outcome.leaving,
      (pods) => `* ${counted(pods)}: deletionTimestamp set, but still not removed from the Node`,
    ),
    ...refusals(outcome.refused),
    ...onePer(outcome.awaited, (pods) => `* ${counted(pods)}: waiting for completion`),
    ...onePer(
      outcome.evictLater,
      (pods) => `After above Pods have been removed from the Node, the following Pods will be evicted: ${named(pods)}`,
    ),
    ...onePer(
      outcome.awaitedLater,
      (pods) =>
        `After above Pods have been removed from the Node, waiting for the following Pods to complete without eviction: ${named(pods)}`,
    ),
  ].join('\n');
