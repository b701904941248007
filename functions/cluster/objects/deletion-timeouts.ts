import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { withDeletion } from '../../../shared/plan/machines/propagation.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/**
 * Propagates the deletion timeouts of the control plane to its machines, including those that are being deleted: so a
 * hanging drain can be cut short.
 */
export const propagateDeletion = async ({ objects }: ObjectsDependencies, snapshot: ClusterSnapshot): Promise<void> => {
  const deletion = snapshot.controlPlane?.spec.machineTemplate.spec.deletion;
  await Promise.all(
    controlPlaneMachines(snapshot).map((machine) =>
      objects.mutate<Machine>(
        kinds.machine,
        { namespace: machine.metadata.namespace ?? '', name: machine.metadata.name },
        (current) => withDeletion(current, deletion),
        { from: machine },
      ),
    ),
  );
};
