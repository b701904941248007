import type { Difference } from './conditions.ts';

/** A condition that differs from upstream's, with the reason. Texts are status, reason and message. */
export interface KnownDifference extends Difference {
  because: string;
}

/** A healthy cluster has none. Each entry here has a row in docs/compatibility.md as well. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];

/**
 * While the deletion of a cluster waits for its control plane machines, upstream reports everything that runs on them
 * as False, and from there it follows for their owners. `MachinesReady` and `ControlPlaneMachinesReady` also differ
 * because owners report the stage of a machine's deletion only with their next pass. Both are in
 * docs/compatibility.md. The types by subject.
 */
export const WHILE_DELETED: Readonly<Record<string, readonly string[]>> = {
  'Machine of the control plane': [
    ...['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy', 'EtcdPodHealthy'],
    ...['EtcdMemberHealthy', 'Ready'],
  ],
  KubeadmControlPlane: ['Available', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy', 'MachinesReady'],
  // `Deleting` shows what the control plane waits for.
  Cluster: ['Available', 'ControlPlaneAvailable', 'ControlPlaneMachinesReady', 'Deleting'],
};
