import { callReasons, normal, warning } from '../../shared/events/catalogue.ts';
import type { DriftKind } from '../../shared/kinds/rules/drift-policy.ts';

/** Why the sweep records events. Reasons of drifts are their kinds (docs/drift.md). */

const INSTANCE_DRIFT_REASONS = {
  InstanceType: warning({ Machine: 'The type of its instance differs from the specified one.' }),
  InstanceTags: warning({ Machine: 'The tags of its instance differ from the specified ones.' }),
  InstanceSecurityGroups: warning({ Machine: 'The security groups of its instance differ from the specified ones.' }),
  InstanceMetadataOptions: warning({ Machine: 'The metadata options of its instance differ from the specified ones.' }),
  BootstrapSecret: warning({ Machine: 'Its bootstrap data was deleted before it was fetched.' }),
  NodeDeleted: warning({ Machine: 'Its Node was deleted, but its instance is running.' }),
  NodeMetadata: warning({
    Machine: 'Labels, annotations or taints of its Node that it sets were changed outside Windlass.',
  }),
} satisfies Partial<Record<DriftKind, unknown>>;

/** Recorded where EventBridge or the sweep finds an instance in another state. */
export const STATE_REASONS = {
  InstanceRunning: normal({ Machine: 'Its instance was started outside Windlass.' }),
  InstanceStopped: warning({ Machine: 'Its instance was stopped outside Windlass.' }),
  InstanceTerminated: warning({ Machine: 'Its instance was terminated outside Windlass.' }),
};

export const SWEEP_REASONS = {
  ...INSTANCE_DRIFT_REASONS,
  ...STATE_REASONS,
  ...callReasons(['Machine'], {
    StartInstance: 'start its stopped instance',
    TagInstance: 'restore the tags of its instance',
    SetSecurityGroups: 'restore the security groups of its instance',
    SetMetadataOptions: 'restore the metadata options of its instance',
    RestoreSecret: 'restore its bootstrap data',
  }),
  ...callReasons(['Cluster'], { TerminateUnknownInstance: 'terminate an instance without a Machine' }),
  DriftReported: warning({ Cluster: 'Instances with its tags have no Machine.' }),
  SweepSuspended: warning({
    Cluster: 'So many instances look lost at once that the sweep changes nothing and assumes a fault of its own.',
  }),
  FleetBraked: warning({
    Cluster: 'So many nodes are not ready at once that nothing is replaced or repaired because of it.',
  }),
  ObjectNotHandled: warning({ Cluster: 'One of its objects made the sweep fail; others are handled.' }),
};
