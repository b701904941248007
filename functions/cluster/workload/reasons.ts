import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/**
 * Reasons of events that are recorded when a workload cluster is probed. Cluster API's names are used where it has one.
 */

export const HEALTH_REASONS = {
  MachineMarkedUnhealthy: normal({ Machine: 'A MachineHealthCheck found it unhealthy.' }),
  RemediationRestricted: warning({
    MachineHealthCheck: 'So many of its Machines are unhealthy that none of them is remediated.',
  }),
};

export const REMEDIATION_REASONS = {
  SuccessfulDelete: normal({ ControlPlane: 'A Machine was deleted because it is unhealthy.' }),
};

export const WORKLOAD_REASONS = {
  EtcdMemberRemoved: normal({
    ControlPlane: 'A member of etcd was removed that had no Machine and did not respond.',
  }),
  DeletedNode: normal({ Cluster: 'A Node without a Machine was deleted because its instance no longer exists.' }),
  CapacityQueryFailed: warning({
    InfrastructureMachineTemplate:
      'The provider did not return the capacity of its machines, so an autoscaler cannot scale from zero.',
  }),
};

export const healthRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof HEALTH_REASONS>(deps, 'machine-health-check');

/** Records as the component of the control plane's distribution. */
export const remediationRecorder = (deps: RecorderDependencies, { component }: { component: string }) =>
  makeRecorder<typeof REMEDIATION_REASONS>(deps, component);

export const workloadRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof WORKLOAD_REASONS>(deps, 'cluster-workload');
