/** A test's view of the classic load balancers in an account, and of the security groups of Services. */
import {
  DescribeSecurityGroupsCommand,
  type EC2Client,
  type IpPermission,
  type SecurityGroup,
} from '@aws-sdk/client-ec2';
import {
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancerPoliciesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingClient,
  type LoadBalancerDescription,
} from '@aws-sdk/client-elastic-load-balancing';
import { fromTagList } from '../../shared/providers/aws/tags.ts';

/** `tcp 80-80 10.0.0.0/8` of each source; if a group is the source, with its name. */
const rulesIn = (groups: readonly SecurityGroup[], permissions: readonly IpPermission[] = []): string[] =>
  permissions
    .flatMap(({ IpProtocol, FromPort, ToPort, IpRanges = [], UserIdGroupPairs = [] }) => [
      ...IpRanges.map(({ CidrIp }) => `${IpProtocol} ${FromPort}-${ToPort} ${CidrIp}`),
      ...UserIdGroupPairs.map(
        ({ GroupId }) => `${IpProtocol} ${groups.find((group) => group.GroupId === GroupId)?.GroupName}`,
      ),
    ])
    .sort();

/** All security groups, with their rules. */
const lookAtGroups = async (ec2: EC2Client) => {
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  return SecurityGroups.map((group) => ({
    id: group.GroupId ?? '',
    name: group.GroupName ?? '',
    description: group.Description,
    tags: fromTagList(group.Tags),
    rules: rulesIn(SecurityGroups, group.IpPermissions),
  }));
};

const listenersOf = ({ ListenerDescriptions = [] }: LoadBalancerDescription): string[] =>
  ListenerDescriptions.map(({ Listener, PolicyNames = [] }) => {
    const { Protocol, LoadBalancerPort, InstanceProtocol, InstancePort, SSLCertificateId = '' } = Listener ?? {};
    const front = `${Protocol} ${LoadBalancerPort}`;
    return `${front} to ${InstanceProtocol} ${InstancePort} ${SSLCertificateId} ${PolicyNames.join()}`.trim();
  }).sort();

/** All classic load balancers and all security groups, in a comparable form. */
export const lookAtClassics = async (elb: ElasticLoadBalancingClient, ec2: EC2Client) => {
  const groups = await lookAtGroups(ec2);
  const { LoadBalancerDescriptions = [] } = await elb.send(new DescribeLoadBalancersCommand({}));
  const classics = await Promise.all(
    LoadBalancerDescriptions.map(async (one) => {
      const { LoadBalancerName = '' } = one;
      const named = { LoadBalancerName };
      const { LoadBalancerAttributes } = await elb.send(new DescribeLoadBalancerAttributesCommand(named));
      const { PolicyDescriptions = [] } = await elb.send(new DescribeLoadBalancerPoliciesCommand(named));
      const { TagDescriptions = [] } = await elb.send(
        new DescribeTagsCommand({ LoadBalancerNames: [LoadBalancerName] }),
      );
      return {
        name: LoadBalancerName,
        dnsName: one.DNSName,
        scheme: one.Scheme,
        subnets: (one.Subnets ?? []).toSorted(),
        groups: (one.SecurityGroups ?? []).map((id) => groups.find((group) => group.id === id)?.name).sort(),
        tags: fromTagList(TagDescriptions[0]?.Tags),
        attributes: LoadBalancerAttributes,
        listeners: listenersOf(one),
        backends: (one.BackendServerDescriptions ?? [])
          .map(({ InstancePort, PolicyNames = [] }) => `${InstancePort} ${PolicyNames.join()}`)
          .sort(),
        policies: PolicyDescriptions.map(
          ({ PolicyName, PolicyAttributeDescriptions = [] }) =>
            `${PolicyName} ${PolicyAttributeDescriptions.map(({ AttributeValue }) => AttributeValue).join()}`,
        ).sort(),
        check: one.HealthCheck,
        instances: (one.Instances ?? []).map(({ InstanceId }) => InstanceId).sort(),
      };
    }),
  );
  return { classics, groups };
};
