import { callReasons, normal, warning } from '../../shared/events/catalogue.ts';
import type { DriftKind } from '../../shared/kinds/rules/drift-policy.ts';

/** The events that the sweep records. The reason of a drift is its kind (docs/drift.md). */

const INSTANCE_DRIFT_REASONS = {
  InstanceType: warning({ Machine: 'The type of its instance differs from the specified one.' }),
  InstanceTags: warning({ Machine: 'The tags of its instance differ from the specified ones.' }),
  InstanceSecurityGroups: warning({ Machine: 'The security groups of its instance differ from the specified ones.' }),
  InstanceMetadataOptions: warning({ Machine: 'The metadata options of its instance differ from the specified ones.' }),
  BootstrapSecret: warning({ Machine: 'Its bootstrap data was deleted before it was fetched.' }),
  NodeDeleted: warning({ Machine: 'Its Node was deleted, but its instance is running.' }),
  NodeMetadata: warning({
    Machine: 'Labels, annotations or taints that it sets on its Node were changed outside Windlass.',
  }),
} satisfies Partial<Record<DriftKind, unknown>>;

/** The reasons that EventBridge handlers or the sweep record when an instance is in another state than before. */
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
    Cluster:
      'So many instances appear lost at once that the sweep changes nothing: an error of its own is more likely.',
  }),
  FleetBraked: warning({
    Cluster: 'So many nodes are not ready at the same time that no machine is replaced or repaired automatically.',
  }),
  NamespaceTooLarge: warning({
    Namespace: 'Its objects take so much memory that the sweep skips it: nothing in it is compared or repaired.',
  }),
  CloudNotRead: warning({
    Cluster: 'Its account cannot be read, because the identity that it names cannot be used; its nodes are watched.',
  }),
  ObjectNotHandled: warning({ Cluster: 'The sweep failed for one of its objects; the others are handled.' }),
};
