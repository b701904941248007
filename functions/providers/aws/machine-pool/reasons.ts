import { normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';

/**
 * Reasons of events that are recorded while the AWS resources of a pool are created, changed and deleted. CAPA's names
 * are used where it has one.
 */

export const AWS_POOL_REASONS = {
  SuccessfulCreate: normal({ AWSMachinePool: 'Its launch template or its Auto Scaling group was created.' }),
  SuccessfulUpdate: normal({
    AWSMachinePool: 'Its launch template has a new version, or its Auto Scaling group was changed.',
  }),
  FailedCreate: warning({
    AWSMachinePool: 'Its Auto Scaling group has fewer instances than specified, because of a quota for Machines.',
  }),
  InstanceRefreshStarted: normal({ AWSMachinePool: 'Auto Scaling started to replace instances of an older template.' }),
  InstanceRefreshCancelled: normal({
    AWSMachinePool: 'A replacement of instances was cancelled because the template has changed again.',
  }),
  FailedLaunchTemplateReconcile: warning({ AWSMachinePool: 'Its launch template cannot be created as specified.' }),
  ImageNotFound: warning({
    AWSMachinePool: 'Its image is no longer found, and the previous one of its launch template is used.',
  }),
  FailedLifecycleHooksReconcile: warning({
    AWSMachinePool: 'A lifecycle hook cannot be set or deleted as specified.',
  }),
  FailedDelete: warning({ AWSMachinePool: 'Its Auto Scaling group or its launch template could not be deleted.' }),
  GroupTakenOver: normal({
    AWSMachinePool: 'An Auto Scaling group or launch template with its tags already existed and was taken over.',
  }),
  FailedUpdate: warning({ AWSMachinePool: 'Its Auto Scaling group cannot be created or changed as specified.' }),
  SuccessfulPutBootstrapObject: normal({
    AWSMachinePool: 'The bootstrap data of its instances was stored as an object in S3.',
  }),
  SuccessfulDeleteBootstrapObject: normal({
    AWSMachinePool: 'The S3 object with the bootstrap data of its instances was deleted.',
  }),
  SuccessfulTagVolumes: normal({
    AWSMachinePool: 'Volumes of pods on its instances were tagged as volumes of the cluster, which is being deleted.',
  }),
  SuccessfulDelete: normal({ AWSMachinePool: 'Its Auto Scaling group or its launch template was deleted.' }),
};

export const poolRecorder = (deps: RecorderDependencies) => makeRecorder<typeof AWS_POOL_REASONS>(deps, 'pool-group');
