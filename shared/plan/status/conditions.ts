import { fittingMessage } from '../../kube-api/condition-message.ts';
import { type Condition, formatTime } from '../../kube-api/object.ts';
import { saySame } from '../../request-details.ts';
import { byRank } from './condition-order.ts';

/** A condition as a planner claims it. It gets its transition time and generation when it is written. */
export interface ConditionClaim {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message?: string;
}

/** The condition of a type, if there is one. */
export const findCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Whether a condition exists and is True. */
export const isTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  findCondition(conditions, type)?.status === 'True';

/** Whether the condition already states the claim, apart from the details of a request to AWS. */
export const isStated = (before: Condition | undefined, claim: ConditionClaim): boolean =>
  before?.status === claim.status && before.reason === claim.reason && saySame(before.message, claim.message);

/**
 * The conditions after `claims`. The transition time only changes with the status, and unclaimed conditions are kept.
 * The order is upstream's. The message about a refusal by AWS remains that of its first occurrence, so that it is no
 * change to write the same facts again. Messages that are too long are truncated.
 */
export const withConditions = (
  current: readonly Condition[] | undefined,
  claims: readonly ConditionClaim[],
  generation: number | undefined,
  now: Date,
): Condition[] => {
  const merged = new Map((current ?? []).map((condition) => [condition.type, condition]));
  for (const one of claims) {
    const claim = { ...one, message: fittingMessage(one.message ?? '') };
    const before = merged.get(claim.type);
    merged.set(claim.type, {
      type: claim.type,
      status: claim.status,
      reason: claim.reason,
      message: (isStated(before, claim) && before?.message) || claim.message,
      lastTransitionTime: before?.status === claim.status ? before.lastTransitionTime : formatTime(now),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    });
  }
  return [...merged.values()].sort((a, b) => byRank(a.type, b.type));
};

/** One input of a summary: `negative` conditions (Deleting, Updating) are good when False. */
export interface SummaryInput {
  type: string;
  negative?: boolean;
  /** A missing condition counts as good instead of unknown. */
  optional?: boolean;
  /** Whether this condition is not an issue, whatever its status. */
  isFine?: ((condition: Condition | ConditionClaim) => boolean) | undefined;
}

/** The reasons of a summary, in the order True, False, Unknown. */
export type SummaryReasons = readonly [met: string, notMet: string, unknown: string];

const BULLET = /^\s*\*\s+/;

/**
 * A message in a list. If it has several lines or is a list itself, it begins on the line below the name. Upstream:
 * indentIfMultiline.
 */
export const indented = (message: string): string => {
  const lines = message.split('\n');
  if (lines.length === 1 && !BULLET.test(message)) return ` ${message}`;
  const isList = lines.every((line) => BULLET.test(line));
  const prefixOf = (line: string) => (isList ? '  ' : BULLET.test(line) ? '    ' : '  * ');
  return `\n${lines.map((line) => `${prefixOf(line)}${line}`).join('\n')}`;
};

type Priority = 'issue' | 'unknown' | 'info';

const priorityOf = (input: SummaryInput, found: Condition | ConditionClaim | undefined): Priority => {
  if (!found) return 'unknown';
  if (input.isFine?.(found)) return 'info';
  if (found.status === 'Unknown') return 'unknown';
  return found.status === (input.negative ? 'False' : 'True') ? 'info' : 'issue';
};

/**
 * Combines conditions into one, as Cluster API does (util/conditions/merge_strategies.go): False if any input is bad,
 * otherwise Unknown if any is unknown, otherwise True. The message has a line for every input that is not good, in the
 * order of the inputs; if all are good, it has a line for each input with a message. `transform` changes the lines for
 * the message.
 */
export const summarize = (
  type: string,
  inputs: readonly SummaryInput[],
  conditions: readonly (Condition | ConditionClaim)[],
  [met, notMet, unknown]: SummaryReasons,
  transform: (lines: readonly string[]) => readonly string[] = (lines) => lines,
): ConditionClaim => {
  const judged = inputs.flatMap((input) => {
    const found = conditions.find((condition) => condition.type === input.type);
    if (!found && input.optional) return [];
    const text = found ? found.message || found.reason : 'Condition not yet reported';
    return [
      {
        priority: priorityOf(input, found),
        says: !found?.message ? '' : text,
        line: `* ${input.type}:${indented(text)}`,
      },
    ];
  });
  const lines = judged.filter(({ priority }) => priority !== 'info').map(({ line }) => line);
  const message = transform(lines).join('\n');
  if (judged.some(({ priority }) => priority === 'issue')) return { type, status: 'False', reason: notMet, message };
  if (lines.length > 0) return { type, status: 'Unknown', reason: unknown, message };
  const words = judged.filter(({ says }) => says !== '').map(({ line }) => line);
  return { type, status: 'True', reason: met, ...(words.length > 0 ? { message: transform(words).join('\n') } : {}) };
};
