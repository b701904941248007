import { callReasons, normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';
import {
  NETWORK_CALLS,
  NETWORK_FAILURES,
  type NetworkFailure,
} from '../../../../shared/providers/aws/network/reasons.ts';
import { DRIFT_REASONS } from '../infrastructure/reasons.ts';

/** Why the steps of a cluster's network record events. */

const failure = (part: string) =>
  warning({ AWSCluster: `${part} cannot be as asked until a person changes something.` });

const FAILURE_REASONS = Object.fromEntries(
  Object.entries(NETWORK_FAILURES).map(([reason, part]) => [reason, failure(part)]),
) as Record<NetworkFailure, ReturnType<typeof failure>>;

export const NETWORK_REASONS = {
  ...callReasons(['AWSCluster'], { ...NETWORK_CALLS, CreateBastion: 'create the bastion' }),
  ...FAILURE_REASONS,
  ...DRIFT_REASONS,
  SubnetsReadyWarning: warning({
    AWSCluster: 'Subnets that it was given work, and their owner should know something about them.',
  }),
  PreflightIncomplete: warning({
    AWSCluster: 'Some checks of the account could not be made before anything is created.',
  }),
  DeletingFailed: warning({
    AWSCluster: 'Its network could not be deleted for 15 minutes, because something uses it.',
  }),
  DeletedWithoutAWS: normal({
    AWSCluster: 'It was deleted without a look at AWS, because its identity never worked and nothing was ever made.',
  }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof NETWORK_REASONS>(deps, 'cluster-network');
