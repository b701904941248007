/** Changes that a user makes outside Windlass to the network and the load balancer of a cluster. */
import {
  AuthorizeSecurityGroupEgressCommand,
  CreateTagsCommand,
  ModifyVpcEndpointCommand,
  ReplaceRouteCommand,
} from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2Client, SetIpAddressTypeCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { RecordedLaptop } from '../recording.ts';
import { awsClusterOf } from './story.ts';

const ANYWHERE = '0.0.0.0/0';

const partsOf = async (laptop: RecordedLaptop, name: string) => {
  const { spec, status } = await awsClusterOf(laptop, name);
  const ec2 = laptop.account.ec2(spec.region);
  const vpcId = spec.network?.vpc?.id ?? '';
  const privateTable = spec.network?.subnets?.find(({ isPublic }) => !isPublic)?.routeTableId ?? '';
  const endpoint = ec2.vpcEndpoints.all().find((one) => one.vpcId === vpcId);
  const balancer = [...laptop.account.elbv2(spec.region).loadBalancers.values()].find((one) => one.vpcId === vpcId);
  const groups = status?.networkStatus?.securityGroups ?? {};
  if (!endpoint || !balancer) throw new Error(`${name} has no endpoint or no load balancer`);
  return { ec2, vpcId, privateTable, endpoint, balancer, groups, gateway: spec.network?.vpc?.internetGatewayId ?? '' };
};

/**
 * Changes a route, removes a route table from the endpoint, changes a tag, adds an egress rule to another group, and
 * removes IPv6 from the load balancer.
 */
export const disturb = async (laptop: RecordedLaptop, name: string): Promise<void> => {
  const { vpcId, privateTable, endpoint, balancer, groups, gateway } = await partsOf(laptop, name);
  const { region, awsUrl: endpointUrl, credentials } = laptop.access;
  const route = { RouteTableId: privateTable, DestinationCidrBlock: ANYWHERE, GatewayId: gateway };
  await laptop.ec2.send(new ReplaceRouteCommand(route));
  const RemoveRouteTableIds = [privateTable];
  await laptop.ec2.send(new ModifyVpcEndpointCommand({ VpcEndpointId: endpoint.id, RemoveRouteTableIds }));
  await laptop.ec2.send(new CreateTagsCommand({ Resources: [vpcId], Tags: [{ Key: 'Name', Value: 'mine' }] }));
  const UserIdGroupPairs = [{ GroupId: groups.lb?.id }];
  const IpPermissions = [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, UserIdGroupPairs }];
  await laptop.ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId: groups.node?.id, IpPermissions }));
  const elb = new ElasticLoadBalancingV2Client({ region, endpoint: endpointUrl, credentials });
  await elb.send(new SetIpAddressTypeCommand({ LoadBalancerArn: balancer.arn, IpAddressType: 'ipv4' }));
  elb.destroy();
};

/** Whether all changes are repaired, except for the egress rule, which matters only when the group is deleted. */
export const isUndisturbed = async (laptop: RecordedLaptop, name: string): Promise<boolean> => {
  const { ec2, vpcId, privateTable, endpoint, balancer } = await partsOf(laptop, name);
  const route = ec2.routeTables.get(privateTable).routes.find(({ destination }) => destination === ANYWHERE);
  return (
    route?.target.kind === 'nat' &&
    endpoint.routeTableIds.includes(privateTable) &&
    ec2.vpcs.get(vpcId).tags.get('Name') !== 'mine' &&
    balancer.ipAddressType === 'dualstack' &&
    !balancer.tags.has('team')
  );
};
