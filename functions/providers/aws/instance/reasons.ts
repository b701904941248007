import { callReasons, normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';
import { ADDRESS_REASONS } from '../reasons.ts';

/** Reasons of events about a machine's instance. Upstream's names are used where it has one. */
export const INSTANCE_REASONS = {
  SuccessfulCreate: normal({ AWSMachine: 'Its instance was launched.' }),
  SuccessfulTerminate: normal({ AWSMachine: 'Its instance was terminated, because it is being deleted.' }),
  FailedTerminate: warning({ AWSMachine: 'AWS refuses to terminate its instance.' }),
  SuccessfulTagVolumes: normal({
    AWSMachine: 'Volumes of pods on its instance were tagged as volumes of the cluster, which is being deleted.',
  }),
  InstanceTakenOver: normal({ AWSMachine: 'An instance with its tags already existed and was taken over.' }),
  InstanceNotOwned: warning({ AWSMachine: 'The instance that it names belongs to another owner and is not changed.' }),
  CapacityFallback: warning({
    AWSMachine: 'AWS has no capacity for the requested instance, and the next option is tried.',
  }),
  ImageNotFound: warning({
    AWSMachine: 'Its image is no longer found, and the one that its cluster used before is launched instead.',
  }),
  SuccessfulCreateBootstrapSecret: normal({ AWSMachine: 'Its bootstrap data was stored as secrets.' }),
  SuccessfulPutBootstrapObject: normal({ AWSMachine: 'Its bootstrap data was stored as an object in S3.' }),
  ...callReasons(['AWSMachine'], {
    AllocateDedicatedHost: 'allocate a dedicated host',
    ReleaseHost: 'release a dedicated host',
    AssociateEIP: 'associate an Elastic IP address with its instance',
  }),
  ...ADDRESS_REASONS,
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof INSTANCE_REASONS>(deps, 'machine-instance');
