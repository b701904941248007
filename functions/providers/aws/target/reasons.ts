import { normal } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';

/** Why events are recorded about a control plane machine and the load balancer of the API; upstream's names. */
export const TARGET_REASONS = {
  SuccessfulAttachControlPlaneELB: normal({
    AWSMachine: 'Its instance is registered with the load balancer of the API.',
  }),
  SuccessfulDetachControlPlaneELB: normal({
    AWSMachine: 'Its instance is deregistered from the load balancer of the API, because it is to be deleted.',
  }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof TARGET_REASONS>(deps, 'machine-target');
