import {
  CreateTargetGroupCommand,
  DeleteTargetGroupCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  type ProtocolEnum,
  paginateDescribeTargetGroups,
  RegisterTargetsCommand,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { awsCodeOf, isNoTargetGroup } from '../../../../aws/errors.ts';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList, type Tags, toTagList } from '../../tags.ts';
import { orAbsent } from '../lookup-api.ts';
import type { DesiredTargetGroup, FoundTargetGroup, HealthCheck } from './model.ts';

type Attributes = Readonly<Record<string, string>>;

export interface TargetGroupReads {
  describeTargetGroup(name: string): Promise<FoundTargetGroup | undefined>;
  /** The groups to which a listener of the load balancer forwards. */
  describeTargetGroupsOf(loadBalancerArn: string): Promise<FoundTargetGroup[]>;
  describeTargetGroupAttributes(arn: string): Promise<Attributes>;
  /** The registered instances, except those that are draining. */
  describeTargets(targetGroupArn: string): Promise<string[]>;
}

export interface TargetGroupWrites {
  createTargetGroup(input: {
    name: string;
    vpcId: string;
    group: DesiredTargetGroup;
    tags: Tags;
  }): Promise<FoundTargetGroup | undefined>;
  setTargetGroupAttributes(arn: string, attributes: Attributes): Promise<void>;
  setHealthCheck(arn: string, healthCheck: HealthCheck): Promise<void>;
  /** False if the instance is not running. */
  registerTarget(group: { arn: string; port: number }, instanceId: string): Promise<boolean>;
  deleteTargetGroup(arn: string): Promise<void>;
}

export const toTargetGroup = (found: TargetGroup): FoundTargetGroup => ({
  arn: found.TargetGroupArn ?? '',
  name: found.TargetGroupName ?? '',
  port: found.Port ?? 0,
  protocol: found.Protocol ?? '',
  ipType: found.IpAddressType ?? 'ipv4',
  healthCheck: {
    protocol: found.HealthCheckProtocol ?? 'TCP',
    port: found.HealthCheckPort ?? 'traffic-port',
    ...(found.HealthCheckPath ? { path: found.HealthCheckPath } : {}),
    intervalSeconds: found.HealthCheckIntervalSeconds ?? 0,
    timeoutSeconds: found.HealthCheckTimeoutSeconds ?? 0,
    thresholdCount: found.HealthyThresholdCount ?? 0,
    unhealthyThresholdCount: found.UnhealthyThresholdCount ?? 0,
  },
});

/** A draining target is no longer a member, although ELBv2 still lists it for minutes. */
const readTargets = async (client: ElasticLoadBalancingV2Client, arn: string): Promise<string[]> => {
  const { TargetHealthDescriptions = [] } = await client.send(new DescribeTargetHealthCommand({ TargetGroupArn: arn }));
  return TargetHealthDescriptions.flatMap(({ Target, TargetHealth }) =>
    Target?.Id && TargetHealth?.State !== 'draining' ? [Target.Id] : [],
  );
};

export const targetGroupReads = (client: ElasticLoadBalancingV2Client): TargetGroupReads => ({
  describeTargetGroup: (name) =>
    orAbsent(async () => {
      const { TargetGroups } = await client.send(new DescribeTargetGroupsCommand({ Names: [name] }));
      const found = TargetGroups?.[0];
      return found && toTargetGroup(found);
    }),
  describeTargetGroupsOf: async (loadBalancerArn) => {
    try {
      const pages = paginateDescribeTargetGroups({ client }, { LoadBalancerArn: loadBalancerArn });
      return (await collectPages(pages, ({ TargetGroups }) => TargetGroups)).map(toTargetGroup);
    } catch (error) {
      if (isNoTargetGroup(error)) return [];
      throw error;
    }
  },
  describeTargetGroupAttributes: async (arn) => {
    const { Attributes } = await client.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn }));
    return fromTagList(Attributes);
  },
  describeTargets: (arn) => readTargets(client, arn),
});

export const isInvalidTarget = (error: unknown): boolean => awsCodeOf(error) === 'InvalidTarget';

/** An instance in another VPC, or one that an IPv6 target group cannot reach, causes the same code. */
export const isNotRunning = (error: unknown): boolean =>
  isInvalidTarget(error) && error instanceof Error && error.message.includes('not in a running state');

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

export const targetGroupWrites = (client: ElasticLoadBalancingV2Client): TargetGroupWrites => ({
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
      if (isNotRunning(error)) return false;
      throw error;
    }
  },
  deleteTargetGroup: async (arn) => {
    await client.send(new DeleteTargetGroupCommand({ TargetGroupArn: arn }));
  },
});
