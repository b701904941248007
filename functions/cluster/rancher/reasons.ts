import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/** Reasons of events that are recorded on Clusters of Rancher's group. */
export const RANCHER_REASONS = {
  ClusterProvisioned: normal({
    Cluster: 'All nodes of a Cluster of Rancher’s group run.',
  }),
  ClusterNotProvisioned: warning({
    Cluster: 'The configuration of a Cluster of Rancher’s group cannot be carried out as it is.',
  }),
  ClusterPassFailed: warning({
    Cluster: 'A pass over a Cluster of Rancher’s group failed; another pass tries again later.',
  }),
};

export const rancherRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof RANCHER_REASONS>(deps, 'cluster-provisioner');
