import type { Machine } from '../../kinds/index.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';
import { nameSome } from './names.ts';

/**
 * After the first of these times, the owner of the machine reports the deletion; after the second, also why a drain
 * takes so long.
 */
const LONG_MILLISECONDS = 15 * 60_000;
const LONG_DRAIN_MILLISECONDS = 5 * 60_000;

const MOST = 3;

/** The causes of a delay, as they appear in a drain's message (`drainMessage`). */
const CAUSES: readonly (readonly [words: string, cause: string])[] = [
  ["cannot evict pod as it would violate the pod's disruption budget.", 'PodDisruptionBudgets'],
  ['deletionTimestamp set, but still not removed from the Node', 'Pods not terminating'],
  ['failed to evict Pod', 'Pod eviction errors'],
  ['waiting for completion', 'Pods not completed yet'],
];

const isOlder = (since: string | undefined, milliseconds: number, now: Date): boolean =>
  since !== undefined && now.getTime() - Date.parse(since) > milliseconds;

const isStale = ({ metadata }: Machine, now: Date): boolean =>
  isOlder(metadata.deletionTimestamp, LONG_MILLISECONDS, now);

const causesOf = ({ status }: Machine, deleting: Pick<ConditionClaim, 'reason' | 'message'>, now: Date): string[] => {
  if (deleting.reason !== 'DrainingNode') return [];
  if (!isOlder(status?.deletion?.nodeDrainStartTime, LONG_DRAIN_MILLISECONDS, now)) return [];
  return CAUSES.filter(([words]) => deleting.message?.includes(words)).map(([, cause]) => cause);
};

const because = (causes: readonly string[]): string =>
  causes.length > 0 ? `, delay likely due to ${causes.join(', ')}` : '';

/**
 * A deletion in the short form of summaries: the stage, and after a while the likely cause of the delay. Pods and
 * volumes are only in the condition itself, so that machines that wait for the same thing have the same text.
 */
export const deletionSummary = (machine: Machine, deleting: ConditionClaim, now: Date): ConditionClaim => {
  const isLong = isStale(machine, now);
  const since = isLong ? ' since more than 15m' : '';
  const why = isLong ? because(causesOf(machine, deleting, now)) : '';
  return { ...deleting, message: `Machine deletion in progress${since}, stage: ${deleting.reason}${why}` };
};

/** The machines whose deletion takes long, with the likely causes, for the conditions of their owners. */
export const staleMachines = (machines: readonly Machine[], now: Date): string | undefined => {
  const stale = machines.filter((machine) => isStale(machine, now));
  if (stale.length === 0) return undefined;
  const found = new Set(
    stale.flatMap((machine) => {
      const deleting = findCondition(machine.status?.conditions, 'Deleting');
      return deleting?.status === 'True' ? causesOf(machine, deleting, now) : [];
    }),
  );
  const names = nameSome(stale.map(({ metadata }) => metadata.name).sort(), MOST);
  const subject = stale.length === 1 ? `Machine ${names} is` : `Machines ${names} are`;
  const causes = CAUSES.map(([, cause]) => cause).filter((cause) => found.has(cause));
  return `${subject} in deletion since more than 15m${because(causes)}`;
};
