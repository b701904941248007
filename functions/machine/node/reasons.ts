import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/** Reasons of events about a machine's node. Cluster API's names are used where it has one. */
export const NODE_REASONS = {
  NodeNotJoined: warning({ Machine: 'Its instance runs, but no Node has joined for a while.' }),
  NodeNotInitialized: warning({
    Machine:
      'Its Node cannot be initialized, because its kubelet was started with an address that its instance does not have.',
  }),
  SuccessfulDrainNode: normal({ Machine: 'Its Node was drained.' }),
  FailedDrainNode: warning({ Machine: 'Its Node could not be drained; the drain is retried.' }),
  NodeVolumesDetached: normal({ Machine: 'All volumes were detached from its Node.' }),
  FailedWaitForVolumeDetach: warning({
    Machine: 'The volumes of its Node could not be read; they are read again later.',
  }),
  EtcdLeaderMoved: normal({ Machine: 'The etcd leadership was moved to another member, because it will be deleted.' }),
  EtcdMemberRemoved: normal({ Machine: 'A member of etcd was removed: its own, or one that has no Machine.' }),
  FailedDeleteNode: warning({ Machine: 'Its Node was not deleted in time, and its deletion continues anyway.' }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof NODE_REASONS>(deps, 'machine-node');
