import type { AWSCluster } from '../../../../kinds/index.ts';
import type { Found } from '../driver.ts';
import { withNetworkStatus } from '../spec.ts';
import { securityGroupsByRole } from './plan.ts';

/** The group of each role. */
export const recordSecurityGroups = (awsCluster: AWSCluster, { desired, observed, vpc }: Found): AWSCluster => {
  const groups = Object.entries(securityGroupsByRole({ desired, observed }, vpc.id)).map(
    ([role, { id, name, tags }]) => [role, { id, name, tags: { ...tags } }] as const,
  );
  return withNetworkStatus(awsCluster, { securityGroups: Object.fromEntries(groups) });
};
