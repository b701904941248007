import { kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { isHeldOutside } from '../../cluster/held-outside.ts';
import { clusterOf, type MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';

/**
 * Deletes the infrastructure of a machine that a provider from outside takes down, and ends the machine's lease. False
 * where there is none (any more). The removal of the object through the API starts the pass that comes back to the machine,
 * which finds the lease free.
 */
export const leaveToProvider = async (
  { objects, work, touch, clock }: MachineObjectsDependencies,
  { machine, infrastructureMachine }: MachineSnapshot,
  { ref, holder }: { ref: MachineRef; holder: string },
): Promise<boolean> => {
  if (!infrastructureMachine || !isHeldOutside(machine, infrastructureMachine)) return false;
  const { provider, object } = infrastructureMachine;
  await objects.delete(provider.machine, keyOf(object));
  const message = `Waiting for ${object.kind} to be deleted`;
  const deleting = { type: 'Deleting', status: 'True', reason: 'WaitingForInfrastructureDeletion', message } as const;
  await objects.mutate(kinds.machine, keyOf(machine), (current) => withObservation(current, { deleting }, clock.now()));
  await work.releaseMachine(ref, holder);
  // It may have gone before the lease did; where nothing held it, no one else says so.
  if (!(await objects.get(provider.machine, keyOf(object)))) await touch(clusterOf(ref));
  return true;
};
