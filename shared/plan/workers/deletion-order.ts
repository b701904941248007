import type { Machine, MachineSet } from '../../kinds/index.ts';
import { ANNOTATION } from '../labels.ts';
import { findCondition } from '../status/conditions.ts';

/** Seconds after which Oldest and Newest tell ages apart no more (ten days), as upstream. */
const AGE_SCALE_SECONDS = 864_000;
const PRIORITY = { deleting: 100, chosen: 80, unhealthy: 50, random: 20, policy: 50 } as const;

const isUnhealthy = ({ status }: Machine): boolean =>
  !status?.nodeRef ||
  findCondition(status.conditions, 'NodeHealthy')?.status === 'False' ||
  findCondition(status.conditions, 'HealthCheckSucceeded')?.status === 'False';

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

const priorityOf = (order: string | undefined, machine: Machine, now: Date): number => {
  if (machine.metadata.deletionTimestamp) return PRIORITY.deleting;
  if (ANNOTATION.deleteMachine in (machine.metadata.annotations ?? {})) return PRIORITY.chosen;
  if (isUnhealthy(machine)) return PRIORITY.unhealthy;
  return byPolicy(order, machine, now);
};

/**
 * The machines of a set in the order in which a scale-down takes them: being deleted, annotated, unhealthy, then by the
 * set's policy; ties by name. Priorities are those of Cluster API's MachineSet deletion order.
 */
export const inDeletionOrder = (set: MachineSet, machines: readonly Machine[], now: Date): Machine[] => {
  const ranked = machines.map((machine) => ({ machine, rank: priorityOf(set.spec.deletion?.order, machine, now) }));
  ranked.sort((a, b) => b.rank - a.rank || (a.machine.metadata.name < b.machine.metadata.name ? -1 : 1));
  return ranked.map(({ machine }) => machine);
};
