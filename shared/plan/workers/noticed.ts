import type { Machine, MachineSet } from '../../kinds/index.ts';
import { responseOf } from '../instance-events/response.ts';
import { isTrue } from '../status/conditions.ts';

/** Whether the cloud reclaims the instance within minutes: it no longer counts, though it may still drain. */
export const isInterrupted = (machine: Machine, set: MachineSet): boolean =>
  responseOf(machine, set) === 'replace-at-once';

const isAvailable = ({ status }: Machine): boolean => isTrue(status?.conditions, 'Available');

interface Replacement {
  extra: number;
  held: boolean;
}

/** No machine of the set is replaced. */
export const NO_REPLACEMENT: Replacement = { extra: 0, held: false };

/**
 * For machines that are replaced before they are deleted, one at a time: `extra` is 1 while a set may have one
 * additional machine, and `held` while the one to be deleted first must stay because its replacement is not Available
 * yet.
 */
export const replacement = (set: MachineSet, kept: readonly Machine[], inOrder: readonly Machine[]): Replacement => {
  const endangered = kept.filter((machine) => responseOf(machine, set) === 'replace-first');
  if (endangered.length === 0) return NO_REPLACEMENT;
  const desired = set.spec.replicas ?? 1;
  // A set that is to shrink anyway needs no replacement.
  if (desired === 0) return NO_REPLACEMENT;
  const [first] = inOrder;
  const isOneOver = kept.length === desired + 1;
  const others = kept.filter((machine) => machine !== first && isAvailable(machine)).length;
  const held = isOneOver && first !== undefined && endangered.includes(first) && isAvailable(first) && others < desired;
  return { extra: 1, held };
};
