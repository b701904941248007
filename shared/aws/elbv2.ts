import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  type ElasticLoadBalancingV2Client,
  type LoadBalancer,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  type ProtocolEnum,
  paginateDescribeListeners,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type {
  DesiredLoadBalancing,
  DesiredTargetGroup,
  ObservedListener,
  ObservedLoadBalancer,
  ObservedTargetGroup,
} from '../plan/load-balancer/model.ts';
import { isNotFound } from './errors.ts';
import { collectPages } from './pages.ts';
import { fromTagList, type Tags, toTagList } from './tags.ts';

/** The part of ELBv2 that the API's load balancer is made of. Errors are the SDK's; what is not there is undefined. */
export interface Elbv2 {
  /** With tags and attributes. */
  describeLoadBalancer(name: string): Promise<ObservedLoadBalancer | undefined>;
  /** With tags and attributes. */
  describeTargetGroup(name: string): Promise<ObservedTargetGroup | undefined>;
  describeListeners(loadBalancerArn: string): Promise<ObservedListener[]>;
  /** The same request again gives the same load balancer: names are unique in a region. */
  createLoadBalancer(desired: DesiredLoadBalancing): Promise<void>;
  setLoadBalancerAttributes(arn: string, attributes: Readonly<Record<string, string>>): Promise<void>;
  /** The same request again gives the same target group. */
  createTargetGroup(input: { name: string; vpcId: string; group: DesiredTargetGroup; tags: Tags }): Promise<void>;
  setTargetGroupAttributes(arn: string, attributes: Readonly<Record<string, string>>): Promise<void>;
  createListener(input: { loadBalancerArn: string; port: number; targetGroupArn: string; tags: Tags }): Promise<void>;
  /** Absent is success, and so it is for target groups. */
  deleteLoadBalancer(arn: string): Promise<void>;
  deleteTargetGroup(arn: string): Promise<void>;
}

/** What a lookup by name gives, or undefined where ELBv2 says that there is none. */
const orAbsent = async <T>(lookup: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await lookup();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const toAttributeList = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(([Key, Value]) => ({ Key, Value }));

const fromAttributeList = (list: readonly { Key?: string; Value?: string }[] = []): Record<string, string> => ({
  ...fromTagList(list),
});

const tagsOf = async (client: ElasticLoadBalancingV2Client, arn: string): Promise<Tags> => {
  const { TagDescriptions } = await client.send(new DescribeTagsCommand({ ResourceArns: [arn] }));
  return fromTagList(TagDescriptions?.[0]?.Tags);
};

const toLoadBalancer = (
  arn: string,
  found: LoadBalancer,
  tags: Tags,
  attributes: Record<string, string>,
): ObservedLoadBalancer => ({
  arn,
  name: found.LoadBalancerName ?? '',
  ...(found.DNSName ? { dnsName: found.DNSName } : {}),
  state: found.State?.Code ?? 'provisioning',
  scheme: found.Scheme ?? '',
  zones: (found.AvailabilityZones ?? []).flatMap(({ ZoneName: zone, SubnetId: subnetId }) =>
    zone && subnetId ? [{ zone, subnetId }] : [],
  ),
  securityGroupIds: found.SecurityGroups ?? [],
  tags,
  attributes,
});

const reads = (
  client: ElasticLoadBalancingV2Client,
): Pick<Elbv2, 'describeLoadBalancer' | 'describeTargetGroup' | 'describeListeners'> => ({
  describeLoadBalancer: (name) =>
    orAbsent(async () => {
      const { LoadBalancers } = await client.send(new DescribeLoadBalancersCommand({ Names: [name] }));
      const found = LoadBalancers?.[0];
      const arn = found?.LoadBalancerArn;
      if (!found || !arn) return undefined;
      const [tags, { Attributes }] = await Promise.all([
        tagsOf(client, arn),
        client.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn })),
      ]);
      return toLoadBalancer(arn, found, tags, fromAttributeList(Attributes));
    }),
  describeTargetGroup: (name) =>
    orAbsent(async () => {
      const { TargetGroups } = await client.send(new DescribeTargetGroupsCommand({ Names: [name] }));
      const arn = TargetGroups?.[0]?.TargetGroupArn;
      if (!arn) return undefined;
      const [tags, { Attributes }] = await Promise.all([
        tagsOf(client, arn),
        client.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn })),
      ]);
      return { arn, name, tags, attributes: fromAttributeList(Attributes) };
    }),
  describeListeners: async (loadBalancerArn) => {
    const pages = paginateDescribeListeners({ client }, { LoadBalancerArn: loadBalancerArn });
    const listeners = await collectPages(pages, ({ Listeners }) => Listeners);
    return listeners.flatMap(({ ListenerArn: arn, Port: port, DefaultActions }) =>
      arn && port !== undefined ? [{ arn, port, targetGroupArn: DefaultActions?.[0]?.TargetGroupArn }] : [],
    );
  },
});

const toHealthCheck = ({ healthCheck }: DesiredTargetGroup) => ({
  HealthCheckEnabled: true,
  HealthCheckProtocol: healthCheck.protocol as ProtocolEnum,
  HealthCheckPort: healthCheck.port,
  HealthCheckPath: healthCheck.path,
  HealthCheckIntervalSeconds: healthCheck.intervalSeconds,
  HealthCheckTimeoutSeconds: healthCheck.timeoutSeconds,
  HealthyThresholdCount: healthCheck.thresholdCount,
  UnhealthyThresholdCount: healthCheck.unhealthyThresholdCount,
});

/** The port over an SDK client. All creations may be repeated, so the client may retry as it likes. */
export const createElbv2 = (client: ElasticLoadBalancingV2Client): Elbv2 => ({
  ...reads(client),
  createLoadBalancer: async ({ name, scheme, subnetIds, securityGroupIds, tags }) => {
    const command = new CreateLoadBalancerCommand({
      Name: name,
      Type: 'network',
      Scheme: scheme,
      IpAddressType: 'ipv4',
      Subnets: [...subnetIds],
      SecurityGroups: [...securityGroupIds],
      Tags: toTagList(tags),
    });
    await client.send(command);
  },
  setLoadBalancerAttributes: async (arn, attributes) => {
    const input = { LoadBalancerArn: arn, Attributes: toAttributeList(attributes) };
    await client.send(new ModifyLoadBalancerAttributesCommand(input));
  },
  createTargetGroup: async ({ name, vpcId, group, tags }) => {
    const command = new CreateTargetGroupCommand({
      Name: name,
      VpcId: vpcId,
      Port: group.port,
      Protocol: 'TCP',
      TargetType: 'instance',
      ...toHealthCheck(group),
      Tags: toTagList(tags),
    });
    await client.send(command);
  },
  setTargetGroupAttributes: async (arn, attributes) => {
    const input = { TargetGroupArn: arn, Attributes: toAttributeList(attributes) };
    await client.send(new ModifyTargetGroupAttributesCommand(input));
  },
  createListener: async ({ loadBalancerArn, port, targetGroupArn, tags }) => {
    const command = new CreateListenerCommand({
      LoadBalancerArn: loadBalancerArn,
      Port: port,
      Protocol: 'TCP',
      DefaultActions: [{ Type: 'forward', TargetGroupArn: targetGroupArn }],
      Tags: toTagList(tags),
    });
    await client.send(command);
  },
  deleteLoadBalancer: async (arn) => {
    await client.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: arn }));
  },
  deleteTargetGroup: async (arn) => {
    await client.send(new DeleteTargetGroupCommand({ TargetGroupArn: arn }));
  },
});
