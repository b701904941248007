import {
  AddTagsCommand,
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteListenerCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  type ElasticLoadBalancingV2Client,
  ModifyListenerCommand,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  type ProtocolEnum,
  RegisterTargetsCommand,
  RemoveTagsCommand,
  SetIpAddressTypeCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { awsCodeOf } from '../../../aws/errors.ts';
import type {
  DesiredLoadBalancing,
  DesiredTargetGroup,
  FoundLoadBalancer,
  FoundTargetGroup,
  HealthCheck,
  ObservedListener,
} from '../plan/load-balancer/model.ts';
import type { Tags } from '../tags.ts';
import { toTagList } from '../tags.ts';
import { toListener, toLoadBalancer, toTargetGroup } from './elbv2-reads.ts';

type Attributes = Readonly<Record<string, string>>;

/**
 * All of them may be repeated: names are unique in a region, and what is gone already is deleted. Creations tell what
 * there is now, where the answer says so.
 */
export interface Elbv2Writes {
  /** `allocationIds`: of the addresses that it is to have, one for each subnet; none for Amazon's own. */
  createLoadBalancer(
    desired: DesiredLoadBalancing,
    allocationIds?: readonly string[],
  ): Promise<FoundLoadBalancer | undefined>;
  setLoadBalancerAttributes(arn: string, attributes: Attributes): Promise<void>;
  setIpAddressType(arn: string, ipAddressType: DesiredLoadBalancing['ipAddressType']): Promise<void>;
  /** They take the place of the subnets that there were. */
  setSubnets(arn: string, subnetIds: readonly string[]): Promise<void>;
  setSecurityGroups(arn: string, groupIds: readonly string[]): Promise<void>;
  createTargetGroup(input: {
    name: string;
    vpcId: string;
    group: DesiredTargetGroup;
    tags: Tags;
  }): Promise<FoundTargetGroup | undefined>;
  setTargetGroupAttributes(arn: string, attributes: Attributes): Promise<void>;
  setHealthCheck(arn: string, healthCheck: HealthCheck): Promise<void>;
  /** False where the instance does not run, or is in another VPC. */
  registerTarget(group: { arn: string; port: number }, instanceId: string): Promise<boolean>;
  createListener(input: {
    loadBalancerArn: string;
    port: number;
    targetGroupArn: string;
    tags: Tags;
  }): Promise<ObservedListener | undefined>;
  setListener(arn: string, targetGroupArn: string): Promise<void>;
  deleteListener(arn: string): Promise<void>;
  addTags(arns: readonly string[], tags: Tags): Promise<void>;
  removeTags(arns: readonly string[], keys: readonly string[]): Promise<void>;
  deleteLoadBalancer(arn: string): Promise<void>;
  deleteTargetGroup(arn: string): Promise<void>;
}

const toHealthCheck = (check: HealthCheck) => ({
  HealthCheckEnabled: true,
  HealthCheckProtocol: check.protocol as ProtocolEnum,
  HealthCheckPort: check.port,
  HealthCheckPath: check.path,
  HealthCheckIntervalSeconds: check.intervalSeconds,
  HealthCheckTimeoutSeconds: check.timeoutSeconds,
  HealthyThresholdCount: check.thresholdCount,
  UnhealthyThresholdCount: check.unhealthyThresholdCount,
});

/** Addresses that are there already are named with their subnets. */
const placesOf = (subnetIds: readonly string[], allocationIds: readonly string[]) =>
  allocationIds.length > 0
    ? { SubnetMappings: subnetIds.map((SubnetId, index) => ({ SubnetId, AllocationId: allocationIds[index] })) }
    : { Subnets: [...subnetIds] };

const forwardTo = (TargetGroupArn: string) => [{ Type: 'forward' as const, TargetGroupArn }];

type Writes<Name extends keyof Elbv2Writes> = Pick<Elbv2Writes, Name>;

const loadBalancerWrites = (
  client: ElasticLoadBalancingV2Client,
): Writes<
  | 'createLoadBalancer'
  | 'setLoadBalancerAttributes'
  | 'setIpAddressType'
  | 'setSubnets'
  | 'setSecurityGroups'
  | 'deleteLoadBalancer'
> => ({
  createLoadBalancer: async (
    { name, scheme, ipAddressType, subnetIds, securityGroupIds, tags },
    allocationIds = [],
  ) => {
    const command = new CreateLoadBalancerCommand({
      Name: name,
      Type: 'network',
      Scheme: scheme,
      IpAddressType: ipAddressType,
      ...placesOf(subnetIds, allocationIds),
      SecurityGroups: [...securityGroupIds],
      Tags: toTagList(tags),
    });
    const [made] = (await client.send(command)).LoadBalancers ?? [];
    return made && toLoadBalancer(made);
  },
  setLoadBalancerAttributes: async (arn, attributes) => {
    const input = { LoadBalancerArn: arn, Attributes: toTagList(attributes) };
    await client.send(new ModifyLoadBalancerAttributesCommand(input));
  },
  setIpAddressType: async (arn, ipAddressType) => {
    await client.send(new SetIpAddressTypeCommand({ LoadBalancerArn: arn, IpAddressType: ipAddressType }));
  },
  setSubnets: async (arn, subnetIds) => {
    await client.send(new SetSubnetsCommand({ LoadBalancerArn: arn, Subnets: [...subnetIds] }));
  },
  setSecurityGroups: async (arn, groupIds) => {
    await client.send(new SetSecurityGroupsCommand({ LoadBalancerArn: arn, SecurityGroups: [...groupIds] }));
  },
  deleteLoadBalancer: async (arn) => {
    await client.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: arn }));
  },
});

const targetGroupWrites = (
  client: ElasticLoadBalancingV2Client,
): Writes<
  'createTargetGroup' | 'setTargetGroupAttributes' | 'setHealthCheck' | 'registerTarget' | 'deleteTargetGroup'
> => ({
  createTargetGroup: async ({ name, vpcId, group, tags }) => {
    const command = new CreateTargetGroupCommand({
      Name: name,
      VpcId: vpcId,
      Port: group.port,
      Protocol: 'TCP',
      TargetType: 'instance',
      IpAddressType: group.ipType,
      ...toHealthCheck(group.healthCheck),
      Tags: toTagList(tags),
    });
    const [made] = (await client.send(command)).TargetGroups ?? [];
    return made && toTargetGroup(made);
  },
  setTargetGroupAttributes: async (arn, attributes) => {
    const input = { TargetGroupArn: arn, Attributes: toTagList(attributes) };
    await client.send(new ModifyTargetGroupAttributesCommand(input));
  },
  setHealthCheck: async (arn, healthCheck) => {
    await client.send(new ModifyTargetGroupCommand({ TargetGroupArn: arn, ...toHealthCheck(healthCheck) }));
  },
  registerTarget: async ({ arn, port }, instanceId) => {
    try {
      const Targets = [{ Id: instanceId, Port: port }];
      await client.send(new RegisterTargetsCommand({ TargetGroupArn: arn, Targets }));
      return true;
    } catch (error) {
      if (awsCodeOf(error) === 'InvalidTarget') return false;
      throw error;
    }
  },
  deleteTargetGroup: async (arn) => {
    await client.send(new DeleteTargetGroupCommand({ TargetGroupArn: arn }));
  },
});

/** The writing half of the port. */
export const elbv2Writes = (client: ElasticLoadBalancingV2Client): Elbv2Writes => ({
  ...loadBalancerWrites(client),
  ...targetGroupWrites(client),
  createListener: async ({ loadBalancerArn, port, targetGroupArn, tags }) => {
    const command = new CreateListenerCommand({
      LoadBalancerArn: loadBalancerArn,
      Port: port,
      Protocol: 'TCP',
      DefaultActions: forwardTo(targetGroupArn),
      Tags: toTagList(tags),
    });
    const [made] = (await client.send(command)).Listeners ?? [];
    return made && toListener(made);
  },
  setListener: async (arn, targetGroupArn) => {
    await client.send(new ModifyListenerCommand({ ListenerArn: arn, DefaultActions: forwardTo(targetGroupArn) }));
  },
  deleteListener: async (arn) => {
    await client.send(new DeleteListenerCommand({ ListenerArn: arn }));
  },
  addTags: async (arns, tags) => {
    await client.send(new AddTagsCommand({ ResourceArns: [...arns], Tags: toTagList(tags) }));
  },
  removeTags: async (arns, keys) => {
    await client.send(new RemoveTagsCommand({ ResourceArns: [...arns], TagKeys: [...keys] }));
  },
});
