import { callReasons, normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';
import {
  NETWORK_CALLS,
  NETWORK_FAILURES,
  type NetworkFailure,
} from '../../../../shared/providers/aws/network/reasons.ts';
import { DRIFT_REASONS } from '../infrastructure/reasons.ts';

/** Reasons of events of the steps of a cluster's network. */

const failure = (part: string) =>
  warning({ AWSCluster: `${part} cannot be reconciled until a user changes something.` });

const FAILURE_REASONS = Object.fromEntries(
  Object.entries(NETWORK_FAILURES).map(([reason, part]) => [reason, failure(part)]),
) as Record<NetworkFailure, ReturnType<typeof failure>>;

export const NETWORK_REASONS = {
  ...callReasons(['AWSCluster'], { ...NETWORK_CALLS, CreateBastion: 'create the bastion' }),
  ...FAILURE_REASONS,
  ...DRIFT_REASONS,
  SubnetsReadyWarning: warning({
    AWSCluster: 'Its existing subnets work, but have a problem that their owner should know about.',
  }),
  SecondaryCidrsReadyWarning: warning({
    AWSCluster: 'Its spec names CIDR blocks that its existing VPC does not have.',
  }),
  ClusterSecurityGroupsReadyWarning: warning({
    AWSCluster: 'Its security groups exist, but may keep nodes from the API.',
  }),
  PreflightIncomplete: warning({
    AWSCluster: 'Some preflight checks of the account could not be made.',
  }),
  DeletingFailed: warning({
    AWSCluster: 'Its network could not be deleted for 15 minutes, because it is still in use.',
  }),
  DeletedWithoutAWS: normal({
    AWSCluster: 'It was deleted without calls to AWS, because its identity never worked and nothing was created.',
  }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof NETWORK_REASONS>(deps, 'cluster-network');
