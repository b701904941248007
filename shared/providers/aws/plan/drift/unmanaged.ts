import type { AWSCluster } from '../../../../kinds/index.ts';
import type { Situation } from '../../network/situation.ts';
import { discoverSubnets } from '../../network/users-vpc/discover.ts';
import { unmanagedWarnings } from '../../network/users-vpc/problems.ts';
import { planSharedTags } from '../../network/users-vpc/shared-tags.ts';
import { chooseVpc } from '../../network/vpc/choose.ts';

/**
 * The prefix of a warning that subnets lack our tags because of missing permissions; see
 * functions/providers/aws/network/share.ts.
 */
const REFUSED = /lacks the tags by which/;

/** Whether a user's VPC differs from what the AWSCluster says about it. */
export const unmanagedNews = ({ status }: AWSCluster, { desired, observed }: Situation): boolean => {
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'unmanaged') return false;
  const discovered = discoverSubnets(desired, observed, choice.vpc.id);
  const { message: said = '' } = status?.conditions?.find(({ type }) => type === 'SubnetsReady') ?? {};
  const isUntagged = planSharedTags(desired.cluster, discovered).length > 0;
  if (isUntagged !== REFUSED.test(said)) return true;
  const warnings = unmanagedWarnings(discovered).join('; ');
  return isUntagged ? !said.startsWith(warnings) : said !== warnings;
};
