import type { Machine } from '../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../shared/plan/labels.ts';
import { isSettled } from '../../shared/plan/machines/status.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** Its own execution registers it, unless that ended before. */
const lacksEndpoint = (
  machine: Machine,
  { infrastructureCluster, infrastructureMachines, provider }: ClusterSnapshot,
) => {
  const own = infrastructureMachines.get(machine.metadata.name);
  if (!infrastructureCluster || !own || own.provider.name !== provider?.name) return false;
  return isControlPlaneMachine(machine) && provider.lacksEndpoint?.(own.object, infrastructureCluster) === true;
};

/**
 * Whether something is left to do for a desired machine: it is no node that has been Ready, or its instance is not
 * registered with the endpoint of its control plane.
 */
export const isUnfinished = (machine: Machine, snapshot: ClusterSnapshot): boolean =>
  !isSettled(machine) || lacksEndpoint(machine, snapshot);
