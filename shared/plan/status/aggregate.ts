import type { Machine } from '../../kinds/index.ts';
import type { Condition } from '../../kube-api/object.ts';
import { withoutRequestDetails } from '../../request-details.ts';
import { isControlPlaneMachine } from '../labels.ts';
import { type ConditionClaim, findCondition, indented, type SummaryReasons } from './conditions.ts';

/** An object with the condition that is aggregated. */
export interface AggregateSource {
  name: string;
  conditions: readonly Condition[] | undefined;
  /** Machines of the control plane are listed first. */
  controlPlane?: boolean;
}

/** Machines as sources of an aggregate. */
export const aggregateSources = (machines: readonly Machine[]): AggregateSource[] =>
  machines.map((machine) => ({
    name: machine.metadata.name,
    conditions: machine.status?.conditions,
    controlPlane: isControlPlaneMachine(machine),
  }));

/** In the order in which they are reported. */
const PRIORITIES = ['issue', 'unknown', 'info'] as const;
type Priority = (typeof PRIORITIES)[number];

const PRIORITY_OF: Readonly<Record<string, Priority>> = { False: 'issue', True: 'info' };

/** The text about objects whose messages are not shown. */
const OTHERS: Readonly<Record<Priority, string>> = {
  issue: 'with other issues',
  unknown: 'with status unknown',
  info: 'with additional info',
};

const MOST_MESSAGES = 3;
const MOST_NAMES = 3;

interface Judged extends AggregateSource {
  priority: Priority;
  message: string;
}

const judge = (source: AggregateSource, type: string): Judged => {
  const found = findCondition(source.conditions, type);
  if (!found) return { ...source, priority: 'unknown', message: `Condition ${type} not yet reported` };
  const priority = PRIORITY_OF[found.status] ?? 'unknown';
  return { ...source, priority, message: found.message || (priority === 'info' ? '' : found.reason) };
};

/** Objects with the same message, apart from the details of their requests to AWS. */
interface Group {
  message: string;
  names: string[];
  priority: Priority;
  controlPlane: boolean;
}

const byName = (a: Judged, b: Judged): number =>
  Number(b.controlPlane ?? false) - Number(a.controlPlane ?? false) || (a.name < b.name ? -1 : 1);

const groupsOf = (all: readonly Judged[]): Group[] =>
  [...Map.groupBy(all, ({ message }) => withoutRequestDetails(message))].map(([common, objects]) => ({
    message: objects.length === 1 ? (objects[0]?.message ?? common) : common,
    names: objects.toSorted(byName).map(({ name }) => name),
    priority: PRIORITIES.find((priority) => objects.some((one) => one.priority === priority)) ?? 'info',
    controlPlane: objects.some(({ controlPlane }) => controlPlane),
  }));

const byWeight = (a: Group, b: Group): number =>
  Number(b.controlPlane) - Number(a.controlPlane) ||
  PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
  b.names.length - a.names.length ||
  (a.names.join() < b.names.join() ? -1 : 1);

/** The first three names, and the number of the others. */
export const namesOf = (names: readonly string[]): string => {
  const more = names.length > MOST_NAMES ? `, ... (${names.length - MOST_NAMES} more)` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
};

const lineOf = ({ names, message }: Group, kind: string): string => {
  const noun = names.length === 1 ? kind : `${kind}s`;
  return `* ${noun} ${namesOf(names)}:${indented(message)}`;
};

const linesOf = (all: readonly Judged[], kind: string, most: number): string[] => {
  const groups = groupsOf(all).sort(byWeight);
  const [shown, others] = [groups.slice(0, most), groups.slice(most)];
  const counts = PRIORITIES.flatMap((priority) => {
    const of = others.filter((group) => group.priority === priority);
    const count = of.reduce((sum, { names }) => sum + names.length, 0);
    return count === 0 ? [] : [`And ${count} ${count === 1 ? kind : `${kind}s`} ${OTHERS[priority]}`];
  });
  return [...shown.map((group) => lineOf(group, kind)), ...counts];
};

const messageOf = (all: readonly Judged[], kind: string): string => linesOf(all, kind, MOST_MESSAGES).join('\n');

/** An object with a condition that is bad if it is True. */
export interface Active {
  kind: string;
  name: string;
  message: string;
}

/** The message that combines such conditions, by kinds in alphabetical order. */
export const activityMessage = (active: readonly Active[]): string => {
  const ofKinds = [...Map.groupBy(active, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  let left = MOST_MESSAGES;
  return ofKinds
    .flatMap(([kind, objects]) => {
      const judged = objects.map((one): Judged => ({ ...one, conditions: undefined, priority: 'issue' }));
      const lines = linesOf(judged, kind, left);
      left = Math.max(0, left - new Set(objects.map(({ message }) => withoutRequestDetails(message))).size);
      return lines;
    })
    .join('\n');
};

/**
 * Summarizes one condition of many objects of a kind: True if it is True for all, False if it is False for any, and
 * otherwise Unknown. The message is that of Cluster API 1.14 (aggregateMessages in
 * util/conditions/merge_strategies.go).
 */
export const aggregate = (
  type: string,
  sourceType: string,
  objects: readonly AggregateSource[],
  [met, notMet, unknown]: SummaryReasons,
  kind = 'Machine',
): ConditionClaim => {
  const judged = objects.map((object) => judge(object, sourceType));
  const open = judged.filter(({ priority }) => priority !== 'info');
  if (open.length === 0) {
    const said = judged.filter(({ message }) => message !== '');
    return { type, status: 'True', reason: met, ...(said.length > 0 ? { message: messageOf(said, kind) } : {}) };
  }
  const message = messageOf(open, kind);
  return open.some(({ priority }) => priority === 'issue')
    ? { type, status: 'False', reason: notMet, message }
    : { type, status: 'Unknown', reason: unknown, message };
};
