import type { Difference } from './conditions.ts';

/** A condition that differs from upstream's, with the reason. Texts are status, reason and message. */
export interface KnownDifference extends Difference {
  because: string;
}

/** A healthy cluster has none. Each entry here has a row in docs/compatibility.md as well. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];

/** While a cluster is deleted, its MachineHealthChecks are not evaluated any more; docs/compatibility.md has it. */
export const WHILE_LEAVING: Readonly<Record<string, readonly string[]>> = {
  MachineHealthCheck: ['currentHealthy', 'remediationsAllowed', 'expectedMachines', 'targets[]'].map(
    (field) => `status.${field}`,
  ),
};

/**
 * While the deletion of a cluster waits for its control plane machines, upstream reports everything that runs on them
 * as False, and from there it follows for their owners. docs/compatibility.md has it. The types by subject.
 */
export const WHILE_DELETED: Readonly<Record<string, readonly string[]>> = {
  ...WHILE_LEAVING,
  'Machine of the control plane': [
    ...['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy', 'EtcdPodHealthy'],
    ...['EtcdMemberHealthy', 'Ready'],
  ],
  KubeadmControlPlane: ['Available', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy', 'MachinesReady'],
  // `Deleting` shows what the control plane waits for.
  Cluster: ['Available', 'ControlPlaneAvailable', 'ControlPlaneMachinesReady', 'Deleting'],
};

/** While a cluster cannot be reached, upstream refers to the logs of its controllers, which users here cannot read. */
export const WHILE_WAITING: Readonly<Record<string, readonly string[]>> = { ClusterResourceSet: ['ResourcesApplied'] };
