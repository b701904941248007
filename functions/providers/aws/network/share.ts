import { discoverSubnets } from '../../../../shared/providers/aws/network/users-vpc/discover.ts';
import { unmanagedWarnings } from '../../../../shared/providers/aws/network/users-vpc/problems.ts';
import { lackedTags, planSharedTags } from '../../../../shared/providers/aws/network/users-vpc/shared-tags.ts';
import { chooseVpc } from '../../../../shared/providers/aws/network/vpc/choose.ts';
import { act } from '../infrastructure/act.ts';
import type { NetworkDependencies } from './dependencies.ts';
import type { NetworkLook } from './look.ts';
import { ec2Actor } from './perform.ts';

/**
 * Tags the subnets of a user's VPC for the cluster's own controllers, and returns warnings. As upstream does, a refusal
 * does not block the cluster: the owner of the subnets decides who may tag them. Does nothing in a VPC of Windlass.
 * Throws the errors of calls with an unknown outcome.
 */
export const shareSubnets = async (deps: NetworkDependencies, look: NetworkLook): Promise<string[]> => {
  const { desired, observed, scope, ec2 } = look;
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'unmanaged') return [];
  const discovered = discoverSubnets(desired, observed, choice.vpc.id);
  const outcomes = await act(ec2Actor(deps, ec2, scope.awsCluster), planSharedTags(desired.cluster, discovered));
  const thrown = outcomes.find(({ verdict }) => verdict === 'thrown');
  if (thrown) throw thrown.error;
  const refused = outcomes.filter(({ verdict }) => verdict !== 'done');
  return [
    ...unmanagedWarnings(discovered),
    ...refused.map(({ action, message }) =>
      lackedTags('resourceId' in action ? action.resourceId : 'a subnet', message),
    ),
  ];
};
