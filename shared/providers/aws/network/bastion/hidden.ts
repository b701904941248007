import type { AWSCluster } from '../../../../kinds/index.ts';
import { VISIBLE_SECONDS } from '../../plan/visibility.ts';
import { isFresh } from '../intents.ts';
import { readBastionLaunch } from './launch.ts';

/** Whether a bastion was requested so recently that EC2 may not show it yet, even if the request was answered. */
export const isBastionHidden = (awsCluster: AWSCluster, now: Date): boolean => {
  const recorded = readBastionLaunch(awsCluster);
  return recorded !== undefined && isFresh(recorded.token, now, VISIBLE_SECONDS);
};

/**
 * Whether a disabled bastion that was hidden must be looked for: its launch is recorded until EC2 shows the instance, or
 * would show it. A refused termination is not repeated here, because it needs a user.
 */
export const isBastionLeft = (awsCluster: AWSCluster, now: Date): boolean =>
  awsCluster.spec.bastion?.enabled !== true &&
  readBastionLaunch(awsCluster) !== undefined &&
  !isBastionHidden(awsCluster, now) &&
  !awsCluster.status?.conditions?.some(({ reason }) => reason === 'DeletingFailed');
