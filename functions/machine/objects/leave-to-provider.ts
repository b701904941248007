import { kinds } from '../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { isHeldOutside } from '../../cluster/held-outside.ts';
import { isControlledBy } from '../../cluster/owners.ts';
import { clusterOf, type MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';

interface Held {
  resource: ResourceDefinition;
  object: KubeObject;
  /** The reason and message, as upstream has them for Machines. */
  reason: string;
}

/**
 * The object that an external provider must remove before the machine is deleted: first its infrastructure, then its
 * configuration.
 */
const heldOf = ({ machine, infrastructureMachine, config, distribution }: MachineSnapshot): Held | undefined => {
  if (infrastructureMachine && isHeldOutside(machine, infrastructureMachine)) {
    const { provider, object } = infrastructureMachine;
    return { resource: provider.machine as ResourceDefinition, object, reason: 'WaitingForInfrastructureDeletion' };
  }
  if (!config || !distribution?.isOutside || !isControlledBy(config, machine)) return undefined;
  const resource = distribution.config as ResourceDefinition;
  return { resource, object: config, reason: 'WaitingForBootstrapDeletion' };
};

/**
 * Deletes an object of a machine that an external provider must remove, and releases the machine's lease. Returns false
 * if there is none (any more). When the provider removes the object through the API, a pass starts and continues.
 */
export const leaveToProvider = async (
  { objects, work, touch, clock }: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
  { ref, holder }: { ref: MachineRef; holder: string },
): Promise<boolean> => {
  const held = heldOf(snapshot);
  if (!held) return false;
  const { resource, object, reason } = held;
  await objects.delete(resource, object);
  const message = `Waiting for ${object.kind} to be deleted`;
  const deleting = { type: 'Deleting', status: 'True', reason, message } as const;
  await objects.mutate(kinds.machine, keyOf(snapshot.machine), (current) =>
    withObservation(current, { deleting }, clock.now()),
  );
  await work.releaseMachine(ref, holder);
  // It may have been removed before the lease was released, or immediately if it had no finalizer: then no pass has
  // started.
  if (!(await objects.get(resource, keyOf(object)))) await touch(clusterOf(ref));
  return true;
};
