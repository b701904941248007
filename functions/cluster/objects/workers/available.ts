/** Machines that become Available because time passes, without an event. */
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { availableAt, withAvailability } from '../../../../shared/plan/machines/availability.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import type { Apart } from '../../apart.ts';
import { isMachinePaused } from '../../paused-parts.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/** Paused machines do not change. */
const mayChange = ({ cluster, infrastructureMachines }: ClusterSnapshot, machine: Machine): boolean =>
  !isPaused(cluster) && !isMachinePaused(machine, infrastructureMachines.get(machine.metadata.name));

/** The times at which the Ready machines of a cluster become Available. */
export const availableTimes = (snapshot: ClusterSnapshot): Date[] =>
  snapshot.machines.flatMap((machine) => (mayChange(snapshot, machine) && availableAt(machine)) || []);

/**
 * Reports machines as Available after their `minReadySeconds`; their own steps do not observe them again for that.
 * Returns the updated snapshot, so that the same pass continues a rollout that waited for them.
 */
export const noteAvailable = async (
  { objects, clock }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  { attempt }: Pick<Apart, 'attempt'>,
): Promise<ClusterSnapshot> => {
  const now = clock.now();
  const note = async (machine: Machine): Promise<Machine> => {
    if (!mayChange(snapshot, machine) || withAvailability(machine, now) === machine) return machine;
    const change = (current: Machine) =>
      current.metadata.uid === machine.metadata.uid ? withAvailability(current, now) : undefined;
    const write = async () =>
      (await objects.mutate(kinds.machine, keyOf(machine), change, { from: machine })) ?? machine;
    return attempt(write, machine);
  };
  return { ...snapshot, machines: await Promise.all(snapshot.machines.map(note)) };
};
