import type { NetworkAction } from '../../../../shared/providers/aws/network/model.ts';
import { isGroupGarbage } from '../../../../shared/providers/aws/plan/garbage/ownership.ts';
import { isProvenVpc, keptGarbageMessage } from '../../../../shared/providers/aws/plan/garbage/proof.ts';
import { gcTasksOf } from '../../../../shared/providers/aws/plan/garbage/tasks.ts';
import { CONTROLLER_TAG, cloudProviderTag } from '../../../../shared/providers/aws/tags.ts';
import { act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from '../network/dependencies.ts';
import { ec2Actor } from '../network/perform.ts';
import { groupGarbageRecorder } from './reasons.ts';

/**
 * Deletes the security groups that controllers in the cluster created for its load balancers, unless an annotation
 * keeps them. In a VPC that is not the cluster's own, they are kept and listed in an event, because only the cluster's
 * name marks them. In each pass, the deletion of the network reports what still uses a group.
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
  const garbage = found.flat().filter(({ tags }) => isGroupGarbage(name, tags));
  const ids = [...new Set(garbage.map(({ id }) => id))];
  if (ids.length === 0) return;
  const regarding = awsCluster ?? cluster;
  const [vpc] = await ec2.describeVpcs([inVpc]);
  if (!isProvenVpc(name, vpc?.tags)) {
    const message = keptGarbageMessage(
      vpcId,
      ids.map((id) => `security group ${id}`),
    );
    return groupGarbageRecorder(deps).warning(regarding, 'GarbageKept', message);
  }
  const actions = ids.map((groupId): NetworkAction => ({ type: 'DeleteSecurityGroup', groupId }));
  failuresOf(await act(ec2Actor(deps, ec2, regarding), actions));
};
