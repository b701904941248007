/** Describes the load balancer of a cluster in lines like those of resources.ts. */
import {
  DescribeListenersCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { linesOf, tagLines } from './resources.ts';

const attributeLines = (what: string, attributes: readonly { Key?: string; Value?: string }[] | undefined): string[] =>
  (attributes ?? []).map(({ Key, Value }) => `${what} attribute ${Key}=${Value}`);

const tagsOf = async (elb: ElasticLoadBalancingV2Client, what: string, arn: string): Promise<string[]> => {
  const { TagDescriptions = [] } = await elb.send(new DescribeTagsCommand({ ResourceArns: [arn] }));
  return tagLines(
    what,
    TagDescriptions[0]?.Tags?.map(({ Key = '', Value = '' }) => ({ Key, Value })),
  );
};

const targetLines = async (elb: ElasticLoadBalancingV2Client, group: TargetGroup): Promise<string[]> => {
  const TargetGroupArn = group.TargetGroupArn ?? '';
  const { Attributes } = await elb.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn }));
  const { TargetHealthDescriptions = [] } = await elb.send(new DescribeTargetHealthCommand({ TargetGroupArn }));
  return [
    ...linesOf('target group', {
      protocol: `${group.Protocol} ${group.Port}`,
      targets: `${group.TargetType} ${TargetHealthDescriptions.length}`,
      check: `${group.HealthCheckProtocol} ${group.HealthCheckPort} ${group.HealthCheckPath} ${group.Matcher?.HttpCode}`,
      interval: group.HealthCheckIntervalSeconds,
      timeout: group.HealthCheckTimeoutSeconds,
      thresholds: `${group.HealthyThresholdCount} ${group.UnhealthyThresholdCount}`,
    }),
    ...attributeLines('target group', Attributes),
    ...(await tagsOf(elb, 'target group', TargetGroupArn)),
  ];
};

/** The cluster's load balancers, listeners and target groups in Elastic Load Balancing. */
export const balancerLines = async (elb: ElasticLoadBalancingV2Client): Promise<string[]> => {
  const { LoadBalancers = [] } = await elb.send(new DescribeLoadBalancersCommand({}));
  const [balancer] = LoadBalancers;
  const LoadBalancerArn = balancer?.LoadBalancerArn ?? '';
  const { Listeners = [] } = await elb.send(new DescribeListenersCommand({ LoadBalancerArn }));
  const { Attributes } = await elb.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn }));
  const { TargetGroups = [] } = await elb.send(new DescribeTargetGroupsCommand({ LoadBalancerArn }));
  const what = 'load balancer';
  return [
    `load balancers=${LoadBalancers.length}`,
    ...linesOf(what, {
      name: balancer?.LoadBalancerName,
      type: balancer?.Type,
      scheme: balancer?.Scheme,
      state: balancer?.State?.Code,
      addresses: balancer?.IpAddressType,
      zones: balancer?.AvailabilityZones?.map(({ ZoneName }) => ZoneName)
        .toSorted()
        .join(' '),
      groups: balancer?.SecurityGroups?.length,
    }),
    ...attributeLines(what, Attributes),
    ...(await tagsOf(elb, what, LoadBalancerArn)),
    ...Listeners.map(({ Protocol, Port }) => `listener ${Protocol} ${Port}`),
    ...(await Promise.all(Listeners.map(({ ListenerArn = '' }) => tagsOf(elb, 'listener', ListenerArn)))).flat(),
    ...(await Promise.all(TargetGroups.map((group) => targetLines(elb, group)))).flat(),
  ];
};
