/** A simulated account with the network of a cluster, its nodes, and an instance of another cluster. */
import {
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteTagsCommand,
  DescribeImagesCommand,
  DescribeSecurityGroupsCommand,
  EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { startTestAws } from '../../infra/local/test-aws.ts';
import { buildTags, type ClusterName, type Tags, toTagList } from '../../shared/providers/aws/tags.ts';

export const RED: ClusterName = { namespace: 'default', name: 'red' };
const BLUE: ClusterName = { namespace: 'victim', name: 'blue' };

const LB_RULE = 'kubernetes.io/rule';

type Tagged = 'subnet' | 'route-table' | 'security-group' | 'instance';
type AccountOptions = { workers?: number } & Parameters<typeof startTestAws>[0];

const specOf = (ResourceType: Tagged, tags: Tags) => [{ ResourceType, Tags: toTagList(tags) }];

/** `workers` is the number of the cluster's instances. */
export const startServiceAccount = async ({ workers = 2, ...options }: AccountOptions = {}) => {
  const test = await startTestAws(options);
  const ec2 = new EC2Client(test.direct);
  const elbv2 = new ElasticLoadBalancingV2Client(test.direct);
  const elb = new ElasticLoadBalancingClient(test.direct);
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }));
  const VpcId = Vpc?.VpcId ?? '';

  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  const GatewayId = InternetGateway?.InternetGatewayId ?? '';
  await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId: GatewayId, VpcId }));
  const routeTable = async (cluster: ClusterName): Promise<string> => {
    const tags = buildTags({ cluster, role: 'common', cloudProvider: 'owned' });
    const TagSpecifications = specOf('route-table', tags);
    const made = await ec2.send(new CreateRouteTableCommand({ VpcId, TagSpecifications }));
    return made.RouteTable?.RouteTableId ?? '';
  };
  const RouteTableId = await routeTable(RED);
  await ec2.send(new CreateRouteCommand({ RouteTableId, GatewayId, DestinationCidrBlock: '0.0.0.0/0' }));

  const subnet = async (CidrBlock: string, AvailabilityZone: string, isPublic: boolean): Promise<string> => {
    const role = isPublic ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb';
    const tags = buildTags({
      cluster: RED,
      name: `${AvailabilityZone}-${isPublic}`,
      role: 'x',
      extra: { [role]: '1' },
    });
    const TagSpecifications = specOf('subnet', tags);
    const made = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone, TagSpecifications }));
    const SubnetId = made.Subnet?.SubnetId ?? '';
    if (isPublic) await ec2.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }));
    return SubnetId;
  };
  const publicA = await subnet('10.0.0.0/24', 'us-east-1a', true);
  const publicB = await subnet('10.0.1.0/24', 'us-east-1b', true);
  const privateA = await subnet('10.0.2.0/24', 'us-east-1a', false);

  const group = async (GroupName: string, cluster: ClusterName): Promise<string> => {
    const tags = buildTags({ cluster, role: 'lb', cloudProvider: 'owned' });
    const TagSpecifications = specOf('security-group', tags);
    const input = { GroupName, Description: 'of the nodes', VpcId, TagSpecifications };
    return (await ec2.send(new CreateSecurityGroupCommand(input))).GroupId ?? '';
  };
  /** A group that a user has created, with the tags of the cluster. */
  const person = async (GroupName: string, tags: Tags): Promise<string> => {
    const input = { GroupName, Description: "a person's", VpcId, TagSpecifications: specOf('security-group', tags) };
    return (await ec2.send(new CreateSecurityGroupCommand(input))).GroupId ?? '';
  };
  const given = await person('given', { 'kubernetes.io/cluster/red': 'shared' });
  const stranger = await person('stranger', { team: 'a' });
  const nodesGroup = await group('red-lb', RED);
  const theirGroup = await group('blue-lb', BLUE);

  const Filters = [{ Name: 'name', Values: ['capa-ami-ubuntu-24.04-v1.34.0-*'] }];
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({ Filters }));
  const run = async (cluster: ClusterName, SecurityGroupId: string): Promise<string> => {
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ...{ ImageId: Images[0]?.ImageId, InstanceType: 't3.large', MinCount: 1, MaxCount: 1, SubnetId: privateA },
        SecurityGroupIds: [SecurityGroupId],
        TagSpecifications: specOf('instance', buildTags({ cluster, role: 'node', cloudProvider: 'owned' })),
      }),
    );
    return Instances?.[0]?.InstanceId ?? '';
  };
  const nodes: string[] = [];
  while (nodes.length < workers) nodes.push(await run(RED, nodesGroup));
  const theirs = await run(BLUE, theirGroup);
  test.clock.advance(60_000);

  /**
   * `<protocol> <from>-<to> <source> <description>` of the rules in a group; without ports if they apply to all
   * protocols.
   */
  const rules = async (GroupId: string): Promise<string[]> => {
    const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [GroupId] }));
    return (SecurityGroups[0]?.IpPermissions ?? [])
      .flatMap(({ IpProtocol, FromPort, ToPort, IpRanges = [], UserIdGroupPairs = [] }) => [
        ...IpRanges.map(
          ({ CidrIp, Description = '' }) => `${IpProtocol} ${FromPort}-${ToPort} ${CidrIp} ${Description}`,
        ),
        ...UserIdGroupPairs.map(({ GroupId: source, Description = '' }) => `${IpProtocol} ${source} ${Description}`),
      ])
      .map((rule) => rule.replace(`${LB_RULE}/nlb/`, ''))
      .sort();
  };
  const tag = (id: string, tags: Tags) => ec2.send(new CreateTagsCommand({ Resources: [id], Tags: toTagList(tags) }));
  const untag = (id: string, Key: string) => ec2.send(new DeleteTagsCommand({ Resources: [id], Tags: [{ Key }] }));
  const close = async (): Promise<void> => {
    ec2.destroy();
    elbv2.destroy();
    elb.destroy();
    await test.aws.close();
  };
  const ids = {
    vpc: VpcId,
    table: RouteTableId,
    gateway: GatewayId,
    publicA,
    publicB,
    privateA,
    nodesGroup,
    theirGroup,
    given,
    stranger,
    nodes,
    theirs,
  };
  /** Launches another instance of the cluster, which is pending at first. */
  const launch = () => run(RED, nodesGroup);
  return { test, ec2, elb, elbv2, ids, rules, tag, untag, routeTable, launch, close };
};
