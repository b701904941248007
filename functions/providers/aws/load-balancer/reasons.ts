import { callReasons, normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';
import { BALANCING_CALLS } from '../../../../shared/providers/aws/load-balancer/reasons.ts';
import { DRIFT_REASONS } from '../infrastructure/reasons.ts';
import { ADDRESS_REASONS } from '../reasons.ts';

/** Reasons of events of the steps of the API's load balancers. */
export const BALANCING_REASONS = {
  ...callReasons(['AWSCluster'], BALANCING_CALLS),
  ...ADDRESS_REASONS,
  ...DRIFT_REASONS,
  LoadBalancerFailed: warning({
    AWSCluster: "The API's load balancer cannot be reconciled until a user changes something.",
  }),
  LeadEndpoint: normal({
    AWSCluster: 'The API uses your own host name, which your DNS must resolve to the load balancer.',
  }),
  SuccessfulAttachControlPlaneELB: normal({
    AWSMachine: 'Its instance was registered with the load balancer of the API.',
  }),
  FailedAttachControlPlaneELB: warning({
    AWSMachine: 'Its instance cannot be registered with the load balancer of the API until a user changes something.',
  }),
};

export const recorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof BALANCING_REASONS>(deps, 'cluster-load-balancer');
