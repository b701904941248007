import {
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  type Listener,
  type LoadBalancer,
  paginateDescribeListeners,
  paginateDescribeTargetGroups,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { isNoTargetGroup, isNotFound } from '../../../aws/errors.ts';
import { collectPages } from '../../../aws/pages.ts';
import type { FoundLoadBalancer, FoundTargetGroup, ObservedListener } from '../plan/load-balancer/model.ts';
import type { Tags } from '../tags.ts';
import { fromTagList } from '../tags.ts';
import { readTags } from './elbv2-tags.ts';

type Attributes = Readonly<Record<string, string>>;

/** Errors are the SDK's; what is looked up by name and is not there is undefined. */
export interface Elbv2Reads {
  describeLoadBalancer(name: string): Promise<FoundLoadBalancer | undefined>;
  describeLoadBalancerAttributes(arn: string): Promise<Attributes>;
  describeListeners(loadBalancerArn: string): Promise<ObservedListener[]>;
  describeTargetGroup(name: string): Promise<FoundTargetGroup | undefined>;
  /** Those that a listener of the load balancer forwards to. */
  describeTargetGroupsOf(loadBalancerArn: string): Promise<FoundTargetGroup[]>;
  describeTargetGroupAttributes(arn: string): Promise<Attributes>;
  /** The instances that are registered, less those that are on their way out. */
  describeTargets(targetGroupArn: string): Promise<string[]>;
  /** By ARN; AWS answers for twenty in a call. */
  describeTags(arns: readonly string[]): Promise<ReadonlyMap<string, Tags>>;
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

export const toLoadBalancer = (found: LoadBalancer): FoundLoadBalancer => ({
  arn: found.LoadBalancerArn ?? '',
  name: found.LoadBalancerName ?? '',
  vpcId: found.VpcId ?? '',
  ...(found.DNSName ? { dnsName: found.DNSName } : {}),
  state: found.State?.Code ?? 'provisioning',
  ...(found.State?.Reason ? { stateReason: found.State.Reason } : {}),
  scheme: found.Scheme ?? '',
  type: found.Type ?? '',
  ipAddressType: found.IpAddressType ?? 'ipv4',
  zones: (found.AvailabilityZones ?? []).flatMap(({ ZoneName: zone, SubnetId: subnetId }) =>
    zone && subnetId ? [{ zone, subnetId }] : [],
  ),
  securityGroupIds: found.SecurityGroups ?? [],
});

export const toListener = ({ ListenerArn: arn, Port: port, DefaultActions }: Listener): ObservedListener | undefined =>
  arn && port !== undefined ? { arn, port, targetGroupArn: DefaultActions?.[0]?.TargetGroupArn } : undefined;

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

/** A target that drains is no member any more, though ELBv2 still shows it for minutes. */
const readTargets = async (client: ElasticLoadBalancingV2Client, arn: string): Promise<string[]> => {
  const { TargetHealthDescriptions = [] } = await client.send(new DescribeTargetHealthCommand({ TargetGroupArn: arn }));
  return TargetHealthDescriptions.flatMap(({ Target, TargetHealth }) =>
    Target?.Id && TargetHealth?.State !== 'draining' ? [Target.Id] : [],
  );
};

/** The reading half of the port. */
export const elbv2Reads = (client: ElasticLoadBalancingV2Client): Elbv2Reads => ({
  describeLoadBalancer: (name) =>
    orAbsent(async () => {
      const { LoadBalancers } = await client.send(new DescribeLoadBalancersCommand({ Names: [name] }));
      const found = LoadBalancers?.[0];
      return found && toLoadBalancer(found);
    }),
  describeLoadBalancerAttributes: async (arn) => {
    const { Attributes } = await client.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn }));
    return fromTagList(Attributes);
  },
  describeListeners: async (loadBalancerArn) => {
    const pages = paginateDescribeListeners({ client }, { LoadBalancerArn: loadBalancerArn });
    const listeners = await collectPages(pages, ({ Listeners }) => Listeners);
    return listeners.flatMap((listener) => toListener(listener) ?? []);
  },
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
  describeTags: (arns) => readTags(client, arns),
});
