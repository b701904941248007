import { callReasons, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';

/** Reasons of events about resources that controllers in a workload cluster have left in the account. */

export const GARBAGE_KEPT_REASONS = {
  GarbageKept: warning({
    AWSCluster: 'Load balancers or security groups were kept, because they cannot be proven to belong to the cluster.',
  }),
};

export const BALANCING_GARBAGE_REASONS = {
  ...GARBAGE_KEPT_REASONS,
  ...callReasons(['AWSCluster'], {
    DeleteLoadBalancer: 'delete a load balancer',
    DeleteClassicLoadBalancer: 'delete a classic load balancer of a Service',
    DeleteTargetGroup: 'delete a target group',
  }),
};

export const VOLUME_REASONS = {
  VolumesKept: warning({ Cluster: 'Volumes of its pods were kept when it was deleted.' }),
  ...callReasons(['AWSCluster'], { DeleteVolume: 'delete a volume of a pod' }),
};

export const balancingGarbageRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof BALANCING_GARBAGE_REASONS>(deps, 'cluster-load-balancer');

export const groupGarbageRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof GARBAGE_KEPT_REASONS>(deps, 'cluster-network');

export const volumeRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof VOLUME_REASONS>(deps, 'cluster-network');
