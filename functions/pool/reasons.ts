import { normal, warning } from '../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../shared/events/recorder.ts';

/** Reasons of events that are recorded while a pool is reconciled. Cluster API's names are used where it has one. */

export const POOL_REASONS = {
  SuccessfulCreate: normal({ MachinePool: 'A Machine was created for an instance of its group.' }),
  FailedCreate: warning({
    MachinePool:
      'Instances of its group have no Machines: a ResourceQuota is used up, or other Machines have their names.',
  }),
  SuccessfulDelete: normal({
    MachinePool: 'A Machine was deleted because its instance left the group, is unhealthy, or is being reclaimed.',
  }),
  BootstrapDataRenewed: normal({
    MachinePool: 'New instances start with other bootstrap data than before, such as a new token.',
  }),
  FailedReconcile: warning({
    MachinePool: 'A step of its creation, change or removal failed; it is tried again later.',
  }),
  IgnitionWarnings: warning({
    MachinePool: 'The additional configuration of its KubeadmConfig was translated to Ignition with warnings.',
  }),
  ReferenceNotOwned: warning({
    MachinePool: 'An object that it refers to belongs to another owner; nothing is created until it refers to its own.',
  }),
};

export const poolRecorder = (deps: RecorderDependencies) => makeRecorder<typeof POOL_REASONS>(deps, 'machine-pool');
