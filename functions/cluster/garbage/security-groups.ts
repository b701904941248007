import { cloudProviderTag } from '../../../shared/aws/tags.ts';
import { isGroupGarbage } from '../../../shared/plan/garbage/ownership.ts';
import { gcTasksOf } from '../../../shared/plan/garbage/tasks.ts';
import type { NetworkAction } from '../../../shared/plan/network/model.ts';
import { CONTROLLER_TAG } from '../../../shared/plan/ownership/balancing.ts';
import { act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from '../network/dependencies.ts';
import { ec2Actor } from '../network/perform.ts';

/**
 * Deletes the security groups that controllers in the cluster made for its load balancers, also in a VPC of the user's,
 * unless an annotation keeps them. What still uses one is named by the deletion of the network, pass by pass.
 */
export const collectSecurityGroups = async (deps: NetworkDependencies, scope: InfrastructureScope): Promise<void> => {
  const { name, awsCluster, cluster } = scope;
  const vpcId = awsCluster?.spec.network?.vpc?.id;
  if (!vpcId || !gcTasksOf(awsCluster).includes('security-group')) return;
  const ec2 = deps.ec2(scope.aws);
  const inVpc = { name: 'vpc-id', values: [vpcId] };
  const found = await Promise.all([
    ec2.describeSecurityGroups([inVpc, { name: `tag:${cloudProviderTag(name.name)}`, values: ['owned'] }]),
    ec2.describeSecurityGroups([inVpc, { name: `tag:${CONTROLLER_TAG}`, values: [name.name] }]),
  ]);
  const ids = new Set(
    found
      .flat()
      .filter(({ tags }) => isGroupGarbage(name, tags))
      .map(({ id }) => id),
  );
  const actions = [...ids].map((groupId): NetworkAction => ({ type: 'DeleteSecurityGroup', groupId }));
  if (actions.length > 0) failuresOf(await act(ec2Actor(deps, ec2, awsCluster ?? cluster), actions));
};
