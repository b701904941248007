import type { AWSCluster } from '../../../../kinds/index.ts';
import type { Situation } from '../../network/situation.ts';
import { discoverSubnets } from '../../network/users-vpc/discover.ts';
import { unmanagedWarnings } from '../../network/users-vpc/problems.ts';
import { planSharedTags, reportsLackedTags } from '../../network/users-vpc/shared-tags.ts';
import { chooseVpc } from '../../network/vpc/choose.ts';

/** Whether a user's VPC differs from the AWSCluster's data about it. */
export const unmanagedNews = ({ status }: AWSCluster, { desired, observed }: Situation): boolean => {
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'unmanaged') return false;
  const discovered = discoverSubnets(desired, observed, choice.vpc.id);
  const { message: said = '' } = status?.conditions?.find(({ type }) => type === 'SubnetsReady') ?? {};
  const isUntagged = planSharedTags(desired.cluster, discovered).length > 0;
  if (isUntagged !== reportsLackedTags(said)) return true;
  const warnings = unmanagedWarnings(discovered).join('; ');
  return isUntagged ? !said.startsWith(warnings) : said !== warnings;
};
