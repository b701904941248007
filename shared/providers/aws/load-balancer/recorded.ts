import type { AWSCluster } from '../../../kinds/index.ts';
import { type BalancerRole, balancerRecordOf } from './roles.ts';

/** The names of the target groups in the status, with which they are found again if the spec has changed. */
export const recordedTargetGroupNames = (
  awsCluster: AWSCluster | undefined,
  role: BalancerRole = 'primary',
): string[] => (balancerRecordOf(awsCluster, role)?.elbListeners ?? []).flatMap(({ targetGroup }) => targetGroup.name);
