import type { Machine, MachineSet } from '../../kinds/index.ts';
import { readNotice } from '../instance-events/notice.ts';
import { announcementOf } from '../instance-events/response.ts';
import type { MachineSetPlan } from './scale.ts';

/** One change of a set's machines. Operations of the same kind are consecutive and may run concurrently. */
export type MachineSetOperation =
  /** `message`: the text of the set's event. */
  | { do: 'delete-machine'; name: string; message: string }
  /** Removes the set's finalizer: it is being deleted and has no machines. */
  | { do: 'release-set' }
  /** Propagates changes that need no rollout to its machines. */
  | { do: 'propagate' }
  /**
   * Creates machines with all their objects, and the missing objects of `incomplete`, which an interrupted pass has
   * left out.
   */
  | { do: 'make-machines'; names: readonly string[]; incomplete: readonly Machine[] };

/** Why a machine is deleted, if the reason is not just the number of machines. */
const causeOf = (machines: readonly Machine[], { lost }: MachineSetPlan, name: string): string => {
  if (lost.includes(name)) return ' because its instance was terminated';
  const noticed = machines.find(({ metadata }) => metadata.name === name);
  const notice = noticed && readNotice(noticed);
  return notice ? ` because ${announcementOf(notice)}` : '';
};

export interface MachineSetOperationFacts {
  set: MachineSet;
  /** The machines from which the plan was made. */
  machines: readonly Machine[];
  plan: MachineSetPlan;
  /** Those of `machines` that lack some of their objects. */
  incomplete: readonly Machine[];
}

/** The operations of a set's plan, in the order in which they are carried out. */
export const machineSetOperations = ({
  set,
  machines,
  plan,
  incomplete,
}: MachineSetOperationFacts): MachineSetOperation[] => {
  const deletions = plan.remove.map((name): MachineSetOperation => {
    const message = `Deleted Machine ${name}${causeOf(machines, plan, name)}`;
    return { do: 'delete-machine', name, message };
  });
  if (set.metadata.deletionTimestamp) return machines.length === 0 ? [{ do: 'release-set' }] : deletions;
  const isMaking = plan.create.length + incomplete.length > 0;
  return [
    ...deletions,
    { do: 'propagate' },
    ...(isMaking ? [{ do: 'make-machines', names: plan.create, incomplete } as const] : []),
  ];
};
