import type { Difference } from './conditions.ts';

/** A condition that differs from upstream's, and the reason. A text consists of status, reason and message. */
export interface KnownDifference extends Difference {
  because: string;
}

/** A healthy cluster has no differences. Each entry here also needs a row in docs/compatibility.md. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];

/** While a cluster is being deleted, Windlass does not evaluate its MachineHealthChecks; see docs/compatibility.md. */
export const WHILE_LEAVING: Readonly<Record<string, readonly string[]>> = {
  MachineHealthCheck: ['currentHealthy', 'remediationsAllowed', 'expectedMachines', 'targets[]'].map(
    (field) => `status.${field}`,
  ),
};

/**
 * While the deletion of a cluster waits for its control plane machines, upstream reports all components on them as
 * False, and their owners as well; see docs/compatibility.md. Condition types by subject.
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

/**
 * While a cluster cannot be reached, upstream refers to the logs of its controllers, which users of Windlass cannot
 * read.
 */
export const WHILE_WAITING: Readonly<Record<string, readonly string[]>> = { ClusterResourceSet: ['ResourcesApplied'] };
