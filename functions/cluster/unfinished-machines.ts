import type { Machine } from '../../shared/kinds/index.ts';
import { isUnfinished } from '../../shared/providers/unfinished.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** Whether something is left to do for a desired machine of a cluster. */
export const isMachineUnfinished = (
  machine: Machine,
  { infrastructureCluster: cluster, infrastructureMachines, provider }: ClusterSnapshot,
): boolean => isUnfinished(machine, { provider, cluster, machine: infrastructureMachines.get(machine.metadata.name) });
