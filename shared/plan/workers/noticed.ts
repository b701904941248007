import type { Machine, MachineSet } from '../../kinds/index.ts';
import { responseOf } from '../instance-events/response.ts';
import { isTrue } from '../status/conditions.ts';

/** Whether the cloud reclaims the instance within minutes: it no longer counts, although it may still be draining. */
export const isInterrupted = (machine: Machine, set: MachineSet): boolean =>
  responseOf(machine, set) === 'replace-at-once';

const isAvailable = ({ status }: Machine): boolean => isTrue(status?.conditions, 'Available');

const isEndangered = (machine: Machine, set: MachineSet): boolean => responseOf(machine, set) === 'replace-first';

/**
 * How many additional machines a set may have for machines that are replaced before they are deleted, one at a time. A
 * set that will shrink to nothing needs no replacement.
 */
export const extraMachines = (set: MachineSet, kept: readonly Machine[]): number =>
  set.spec.replicas !== 0 && kept.some((machine) => isEndangered(machine, set)) ? 1 : 0;

/** The surplus of a set without the machines that must stay until their replacements are Available. */
export const withoutAwaited = (
  set: MachineSet,
  kept: readonly Machine[],
  surplus: readonly Machine[],
): readonly Machine[] => {
  const others = kept.filter((machine) => !surplus.includes(machine) && isAvailable(machine)).length;
  const lacking = (set.spec.replicas ?? 1) - others;
  if (lacking <= 0) return surplus;
  const held = surplus.filter((machine) => isEndangered(machine, set) && isAvailable(machine)).slice(-lacking);
  return surplus.filter((machine) => !held.includes(machine));
};
