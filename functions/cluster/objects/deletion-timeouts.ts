import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { withDeletion } from '../../../shared/plan/machines/propagation.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/**
 * Takes the timeouts of a deletion over from the control plane into its machines, also into those that are on their way
 * out: so a drain that hangs can be cut short.
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
