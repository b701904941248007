/** A test's view of the load balancers in an account. */
import {
  DescribeListenersCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { fromTagList } from '../../shared/providers/aws/tags.ts';

const targetsOf = async (elbv2: ElasticLoadBalancingV2Client, TargetGroupArn: string | undefined) => {
  const { TargetHealthDescriptions = [] } = await elbv2.send(new DescribeTargetHealthCommand({ TargetGroupArn }));
  return TargetHealthDescriptions.filter(({ TargetHealth }) => TargetHealth?.State !== 'draining')
    .map(({ Target }) => `${Target?.Id}:${Target?.Port}`)
    .sort();
};

const attributesOf = async (elbv2: ElasticLoadBalancingV2Client, TargetGroupArn: string | undefined) => {
  const { Attributes } = await elbv2.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn }));
  return fromTagList(Attributes);
};

/** All load balancers and target groups, in a comparable form. */
export const lookAtBalancers = async (elbv2: ElasticLoadBalancingV2Client) => {
  const { LoadBalancers = [] } = await elbv2.send(new DescribeLoadBalancersCommand({}));
  const { TargetGroups = [] } = await elbv2.send(new DescribeTargetGroupsCommand({}));
  const groups = await Promise.all(
    TargetGroups.map(async (group) => ({
      arn: group.TargetGroupArn,
      name: group.TargetGroupName,
      protocol: group.Protocol,
      port: group.Port,
      check: `${group.HealthCheckProtocol} ${group.HealthCheckPort} ${group.HealthCheckPath ?? ''}`.trim(),
      counts: [group.HealthCheckIntervalSeconds, group.HealthyThresholdCount, group.UnhealthyThresholdCount],
      targets: await targetsOf(elbv2, group.TargetGroupArn),
      attributes: await attributesOf(elbv2, group.TargetGroupArn),
    })),
  );
  const balancers = await Promise.all(
    LoadBalancers.map(async ({ LoadBalancerArn = '', ...one }) => {
      const { Listeners = [] } = await elbv2.send(new DescribeListenersCommand({ LoadBalancerArn }));
      const { Attributes } = await elbv2.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn }));
      const { TagDescriptions = [] } = await elbv2.send(new DescribeTagsCommand({ ResourceArns: [LoadBalancerArn] }));
      return {
        name: one.LoadBalancerName,
        dnsName: one.DNSName,
        scheme: one.Scheme,
        subnets: (one.AvailabilityZones ?? []).map(({ SubnetId }) => SubnetId),
        tags: fromTagList(TagDescriptions[0]?.Tags),
        attributes: fromTagList(Attributes),
        listeners: Listeners.map(({ Protocol, Port, Certificates, DefaultActions }) => ({
          port: `${Protocol} ${Port}`,
          certificate: Certificates?.[0]?.CertificateArn,
          group: groups.find(({ arn }) => arn === DefaultActions?.[0]?.TargetGroupArn)?.name,
        })),
      };
    }),
  );
  return { balancers, groups };
};
