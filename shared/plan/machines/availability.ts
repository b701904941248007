/** When a Ready machine counts as Available (upstream's setAvailableCondition, machine_controller_status.go). */
import type { Machine } from '../../kinds/index.ts';
import { type ConditionClaim, findCondition, isTrue, withConditions } from '../status/conditions.ts';

/** `ready`: the current readiness of the machine, which its conditions may not report yet. */
export const availableClaim = (machine: Machine, ready: ConditionClaim, now: Date): ConditionClaim => {
  const type = 'Available';
  if (ready.status !== 'True') return { type, status: 'False', reason: 'NotReady' };
  const wait = machine.spec.minReadySeconds ?? 0;
  const before = findCondition(machine.status?.conditions, 'Ready');
  const since = before?.status === 'True' ? Date.parse(before.lastTransitionTime) : now.getTime();
  if (now.getTime() - since >= wait * 1000) return { type, status: 'True', reason: 'Available' };
  return { type, status: 'False', reason: 'WaitingForMinReadySeconds' };
};

/** When the `minReadySeconds` of a Ready machine end; undefined if it is not Ready, or is already Available. */
export const availableAt = ({ spec, status }: Machine): Date | undefined => {
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status !== 'True' || isTrue(status?.conditions, 'Available')) return undefined;
  return new Date(Date.parse(ready.lastTransitionTime) + (spec.minReadySeconds ?? 0) * 1000);
};

/** The machine, Available if only time was missing: no other step observes it again for that purpose. */
export const withAvailability = (machine: Machine, now: Date): Machine => {
  const { metadata, status } = machine;
  const ready = findCondition(status?.conditions, 'Ready');
  const time = availableAt(machine);
  if (!ready || !time || time.getTime() > now.getTime()) return machine;
  const conditions = withConditions(
    status?.conditions,
    [availableClaim(machine, ready, now)],
    metadata.generation,
    now,
  );
  return { ...machine, status: { ...status, conditions } as Machine['status'] };
};
