import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/** Why events are recorded about a machine's node. Cluster API's names, where it has one. */
export const NODE_REASONS = {
  NodeNotJoined: warning({ Machine: 'Its instance runs, and no Node has joined for a while.' }),
  NodeNotInitialized: warning({
    Machine: 'Its Node waits for a cloud controller and cannot be initialized without one.',
  }),
  SuccessfulDrainNode: normal({ Machine: 'Its Node was drained.' }),
  FailedDrainNode: warning({ Machine: 'Its Node could not be drained; it is tried again.' }),
  NodeVolumesDetached: normal({ Machine: 'All volumes were detached from its Node.' }),
  FailedWaitForVolumeDetach: warning({ Machine: 'The volumes of its Node could not be read; it is tried again.' }),
  EtcdLeaderMoved: normal({ Machine: 'It is to be deleted, and another member of etcd became the leader.' }),
  EtcdMemberRemoved: normal({ Machine: 'A member of etcd was removed: its own, or one that has no Machine.' }),
  FailedDeleteNode: warning({ Machine: 'Its Node was not deleted in time, and its deletion goes on without.' }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof NODE_REASONS>(deps, 'machine-node');
