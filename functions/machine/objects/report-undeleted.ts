import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { type ConditionClaim, findCondition } from '../../../shared/plan/status/conditions.ts';
import { withoutRequestDetails } from '../../../shared/request-details.ts';
import type { FailureCause } from '../../../shared/work/failure.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { machineRecorder } from './reasons.ts';

/**
 * The condition Deleting with the error of a step, in the stage that the deletion has reached. A step that has reported
 * the error itself has said more about it.
 */
const deletingClaim = ({ status }: Machine, { name, message }: FailureCause): ConditionClaim | undefined => {
  const before = findCondition(status?.conditions, 'Deleting');
  const known = before?.status === 'True' ? before : undefined;
  if (withoutRequestDetails(known?.message ?? '').includes(withoutRequestDetails(message))) return undefined;
  return { type: 'Deleting', status: 'True', reason: known?.reason ?? 'Deleting', message: `${name}: ${message}` };
};

/** Reports in an event and in the condition Deleting that a step of a machine's deletion has failed. */
export const reportUndeleted = async (
  deps: MachineObjectsDependencies,
  machine: Machine,
  cause: FailureCause,
): Promise<void> => {
  await machineRecorder(deps).warning(machine, 'FailedDelete', `${cause.name}: ${cause.message}`);
  await deps.objects.mutate(kinds.machine, machine, (current) => {
    const deleting = current.metadata.uid === machine.metadata.uid ? deletingClaim(current, cause) : undefined;
    return deleting && withObservation(current, { deleting }, deps.clock.now());
  });
};
