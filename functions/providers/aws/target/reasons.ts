import { normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';

/** Reasons of events about a control plane machine and the load balancer of the API. The names are upstream's. */
export const TARGET_REASONS = {
  SuccessfulAttachControlPlaneELB: normal({
    AWSMachine: 'Its instance was registered with the load balancer of the API.',
  }),
  FailedAttachControlPlaneELB: warning({
    AWSMachine: 'Its instance cannot be registered with the load balancer of the API until a user changes something.',
  }),
  SuccessfulDetachControlPlaneELB: normal({
    AWSMachine: 'Its instance was deregistered from the load balancer of the API, because it is being deleted.',
  }),
  FailedDetachControlPlaneELB: warning({
    AWSMachine: 'Its instance cannot be deregistered from the load balancer of the API until a user changes something.',
  }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof TARGET_REASONS>(deps, 'machine-target');
