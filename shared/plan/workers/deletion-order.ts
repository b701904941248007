import type { Machine, MachineSet } from '../../kinds/index.ts';
import { responseOf } from '../instance-events/response.ts';
import { ANNOTATION } from '../labels.ts';
import { findCondition, isTrue } from '../status/conditions.ts';

/** As in upstream, the number of seconds (ten days) after which Oldest and Newest no longer distinguish ages. */
const AGE_SCALE_SECONDS = 864_000;
const PRIORITY = {
  deleting: 100,
  chosen: 80,
  unavailable: 70,
  endangered: 60,
  unhealthy: 50,
  random: 20,
  policy: 50,
} as const;

/**
 * Whether a machine's node is known to be unhealthy or does not respond. Upstream ignores the latter, and may therefore
 * delete a working machine instead of one that does not respond. If the nodes could not be read, nothing is known about
 * any of them.
 */
const isNodeBad = ({ status }: Machine): boolean => {
  const health = findCondition(status?.conditions, 'NodeHealthy');
  return health?.status === 'False' || (health?.status === 'Unknown' && health.reason !== 'ConnectionDown');
};

const isUnhealthy = (machine: Machine): boolean =>
  !machine.status?.nodeRef ||
  isNodeBad(machine) ||
  findCondition(machine.status.conditions, 'HealthCheckSucceeded')?.status === 'False';

/** Whether a user has marked this machine for deletion. */
export const isMarked = ({ metadata }: Machine): boolean => ANNOTATION.deleteMachine in (metadata.annotations ?? {});

const oldestFirst = (machine: Machine, now: Date): number => {
  const created = Date.parse(machine.metadata.creationTimestamp ?? '');
  const age = Number.isNaN(created) ? 0 : Math.max(0, (now.getTime() - created) / 1000);
  return PRIORITY.policy * (1 - Math.exp(-age / AGE_SCALE_SECONDS));
};

const byPolicy = (order: string | undefined, machine: Machine, now: Date): number => {
  if (order === 'Oldest') return oldestFirst(machine, now);
  if (order === 'Newest') return PRIORITY.policy - oldestFirst(machine, now);
  return PRIORITY.random;
};

const isEndangered = (set: MachineSet, machine: Machine): boolean => responseOf(machine, set) === 'replace-first';

const priorityOf = (set: MachineSet, machine: Machine, now: Date): number => {
  if (machine.metadata.deletionTimestamp) return PRIORITY.deleting;
  if (isMarked(machine)) return PRIORITY.chosen;
  if (isEndangered(set, machine)) return PRIORITY.endangered;
  if (isUnhealthy(machine)) return PRIORITY.unhealthy;
  return byPolicy(set.spec.deletion?.order, machine, now);
};

/**
 * Machines that are not available come before those whose end was announced, because nothing replaces the former before
 * they are deleted.
 */
const priorityInRollout = (set: MachineSet, machine: Machine, now: Date): number => {
  const priority = priorityOf(set, machine, now);
  const isSpare = priority <= PRIORITY.endangered && !isTrue(machine.status?.conditions, 'Available');
  return isSpare ? PRIORITY.unavailable : priority;
};

/**
 * The machines of a set in the order in which a scale-down deletes them: those being deleted, annotated ones, those
 * whose end the cloud has announced, unhealthy ones, and then by the set's policy; by name if they are equal. The
 * priorities are those of Cluster API's MachineSet deletion order, which does not consider notices. In a set that a
 * rollout replaces, machines that are not available come before those with a notice.
 */
export const inDeletionOrder = (
  set: MachineSet,
  machines: readonly Machine[],
  now: Date,
  isRolledOut = false,
): Machine[] => {
  const rankOf = isRolledOut && machines.some((machine) => isEndangered(set, machine)) ? priorityInRollout : priorityOf;
  const ranked = machines.map((machine) => ({ machine, rank: rankOf(set, machine, now) }));
  ranked.sort((a, b) => b.rank - a.rank || (a.machine.metadata.name < b.machine.metadata.name ? -1 : 1));
  return ranked.map(({ machine }) => machine);
};
