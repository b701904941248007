/** Describes the resources of a cluster in an account as lines of text, without ids, times and random names. */
import {
  DescribeAddressesCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  type EC2Client,
  type Instance,
  type IpPermission,
  type Route,
  type Tag,
} from '@aws-sdk/client-ec2';
import { ROLE_TAG } from '../../../shared/providers/aws/tags.ts';

/** One line for each property: `subnet 10.0.0.0/20 zone=us-east-1a`. */
export const linesOf = (what: string, properties: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(properties).map(([name, value]) => `${what} ${name}=${value}`);

/** Random parts of names, and their replacements. */
const RANDOM: readonly [RegExp, string][] = [
  [/(quickstart-(?:control-plane|md-0-\w{5}))-\w{5}\b/g, '$1-*'],
  [/(quickstart-md-0)-\w{5}\b/g, '$1-*'],
  [/(apiserver-target)-\w+/g, '$1-*'],
];

const withoutChance = (text: string): string => RANDOM.reduce((now, [from, to]) => now.replace(from, to), text);

const CHANGING = ['windlass.dev/intent', 'windlass.dev/machine-uid'];

/** One line for each tag of a resource. */
export const tagLines = (what: string, tags: readonly Tag[] | undefined): string[] =>
  (tags ?? []).map(
    ({ Key = '', Value = '' }) => `${what} tag ${Key}=${CHANGING.includes(Key) ? '*' : withoutChance(Value)}`,
  );

const nameIn = (tags: readonly Tag[] | undefined): string => tags?.find(({ Key }) => Key === 'Name')?.Value ?? '';

const kindOfTarget = (route: Route): string =>
  [route.NatGatewayId, route.GatewayId].find(Boolean)?.replace(/-\w+$/, '') ?? 'nowhere';

/** Hides the addresses of NAT gateways, which are arbitrary. */
const withoutHost = (block: string): string => block.replace(/^[\d.]+\/32$/, 'an address');

const rulesOf = (permissions: readonly IpPermission[], nameOf: (id: string) => string): string[] =>
  permissions.flatMap(({ IpProtocol, FromPort, ToPort, IpRanges = [], UserIdGroupPairs = [] }) => {
    const ports = IpProtocol === '-1' ? '' : ` ${FromPort ?? -1}-${ToPort ?? -1}`;
    const sources = [
      ...IpRanges.map(({ CidrIp, Description }) => `${withoutHost(CidrIp ?? '')} ${Description ?? ''}`),
      ...UserIdGroupPairs.map(({ GroupId = '', Description }) => `${nameOf(GroupId)} ${Description ?? ''}`),
    ];
    return sources.map((source) => `${IpProtocol}${ports} from ${source.trim()}`);
  });

/** The cluster's VPC, and a filter for the resources in it. */
const vpcOf = async (ec2: EC2Client) => {
  const { Vpcs = [] } = await ec2.send(
    new DescribeVpcsCommand({ Filters: [{ Name: 'tag:Name', Values: ['quickstart-vpc'] }] }),
  );
  const [vpc] = Vpcs;
  if (!vpc?.VpcId) throw new Error('the cluster has no VPC');
  return { vpc, vpcId: vpc.VpcId, inside: { Filters: [{ Name: 'vpc-id', Values: [vpc.VpcId] }] } };
};

type Inside = Awaited<ReturnType<typeof vpcOf>>['inside'];

const vpcLines = async (ec2: EC2Client): Promise<string[]> => {
  const { vpc, vpcId: VpcId, inside } = await vpcOf(ec2);
  const names = await ec2.send(new DescribeVpcAttributeCommand({ VpcId, Attribute: 'enableDnsHostnames' }));
  const support = await ec2.send(new DescribeVpcAttributeCommand({ VpcId, Attribute: 'enableDnsSupport' }));
  const { InternetGateways = [] } = await ec2.send(
    new DescribeInternetGatewaysCommand({ Filters: [{ Name: 'attachment.vpc-id', Values: [VpcId] }] }),
  );
  const { NatGateways = [] } = await ec2.send(
    new DescribeNatGatewaysCommand({ Filter: [...inside.Filters, { Name: 'state', Values: ['available'] }] }),
  );
  return [
    ...linesOf('vpc', {
      cidr: vpc.CidrBlock,
      state: vpc.State,
      dnsHostnames: names.EnableDnsHostnames?.Value,
      dnsSupport: support.EnableDnsSupport?.Value,
    }),
    ...tagLines('vpc', vpc.Tags),
    `internet gateways=${InternetGateways.length}`,
    ...InternetGateways.flatMap(({ Tags }) => tagLines('internet gateway', Tags)),
    `NAT gateways=${NatGateways.length}`,
    ...NatGateways.flatMap(({ Tags, ConnectivityType }) => [
      `NAT gateway connectivity=${ConnectivityType}`,
      ...tagLines('NAT gateway', Tags),
    ]),
  ];
};

const subnetLines = async (ec2: EC2Client, inside: Inside): Promise<string[]> => {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand(inside));
  const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand(inside));
  const cidrOf = new Map(Subnets.map(({ SubnetId, CidrBlock }) => [SubnetId, CidrBlock]));
  const tables = RouteTables.flatMap(({ Tags, Routes = [], Associations = [] }) => {
    const what = `route table ${nameIn(Tags) || 'main'}`;
    return [
      ...Routes.map((route) => `${what} ${route.DestinationCidrBlock} to ${kindOfTarget(route)} ${route.State}`),
      ...Associations.map(({ Main, SubnetId }) => `${what} of ${Main ? 'the VPC' : cidrOf.get(SubnetId ?? '')}`),
      ...tagLines(what, Tags),
    ];
  });
  const subnets = Subnets.flatMap((subnet) => [
    ...linesOf(`subnet ${subnet.CidrBlock}`, {
      zone: subnet.AvailabilityZone,
      public: subnet.MapPublicIpOnLaunch,
      state: subnet.State,
    }),
    ...tagLines(`subnet ${subnet.CidrBlock}`, subnet.Tags),
  ]);
  return [...subnets, ...tables];
};

const groupLines = async (ec2: EC2Client, inside: Inside): Promise<string[]> => {
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand(inside));
  const nameOf = (id: string) => SecurityGroups.find(({ GroupId }) => GroupId === id)?.GroupName ?? 'unknown';
  return SecurityGroups.flatMap(({ GroupName, Description, IpPermissions, IpPermissionsEgress, Tags }) => {
    const what = `security group ${GroupName}`;
    return [
      `${what} description=${Description}`,
      ...rulesOf(IpPermissions ?? [], nameOf).map((rule) => `${what} in ${rule}`),
      ...rulesOf(IpPermissionsEgress ?? [], nameOf).map((rule) => `${what} out ${rule.replace('from', 'to')}`),
      ...tagLines(what, Tags),
    ];
  });
};

const addressLines = async (ec2: EC2Client): Promise<string[]> => {
  const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}));
  return [
    `addresses=${Addresses.length}`,
    ...Addresses.flatMap(({ Domain, AssociationId, Tags }) => [
      `address domain=${Domain}`,
      `address associated=${Boolean(AssociationId)}`,
      ...tagLines('address', Tags),
    ]),
  ];
};

/** Instances of one role differ only in their zones and subnets. */
const instanceLines = async (ec2: EC2Client, inside: Inside): Promise<string[]> => {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand(inside));
  const living = Reservations.flatMap(({ Instances = [] }) => Instances).filter(
    ({ State }) => State?.Name === 'running',
  );
  const lines = await Promise.all(living.map((instance) => linesOfInstance(ec2, instance)));
  return [`instances=${living.length}`, ...lines.flat()];
};

/** The security groups of an instance. If it was launched with a network interface, they are listed there as well. */
const groupsOf = ({ NetworkInterfaces = [], SecurityGroups = [] }: Instance): string =>
  (NetworkInterfaces[0]?.Groups ?? SecurityGroups)
    .map(({ GroupName }) => GroupName)
    .toSorted()
    .join(' ');

/** The role of the instance's subnet, according to its tag. */
const subnetRoleOf = async (ec2: EC2Client, { SubnetId = '' }: Instance): Promise<string> => {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [SubnetId] }));
  return Subnets[0]?.Tags?.find(({ Key }) => Key === ROLE_TAG)?.Value ?? 'none';
};

/** The first line of the user data, which identifies the program that reads it. */
const kindOfUserData = async (ec2: EC2Client, { InstanceId }: Instance): Promise<string> => {
  const asked = new DescribeInstanceAttributeCommand({ InstanceId, Attribute: 'userData' });
  const { UserData } = await ec2.send(asked);
  return (
    Buffer.from(UserData?.Value ?? '', 'base64')
      .toString()
      .split('\n')[0] ?? ''
  );
};

const linesOfInstance = async (ec2: EC2Client, instance: Instance): Promise<string[]> => {
  const what = `instance ${nameIn(instance.Tags).includes('control-plane') ? 'of the control plane' : 'of workers'}`;
  const { Volumes = [] } = await ec2.send(
    new DescribeVolumesCommand({ Filters: [{ Name: 'attachment.instance-id', Values: [instance.InstanceId ?? ''] }] }),
  );
  return [
    ...linesOf(what, {
      type: instance.InstanceType,
      public: Boolean(instance.PublicIpAddress),
      profile: instance.IamInstanceProfile?.Arn?.split('/').at(-1),
      tokens: instance.MetadataOptions?.HttpTokens,
      hops: instance.MetadataOptions?.HttpPutResponseHopLimit,
      groups: groupsOf(instance),
      subnet: await subnetRoleOf(ec2, instance),
      userData: await kindOfUserData(ec2, instance),
      sourceDestCheck: instance.SourceDestCheck,
      monitoring: instance.Monitoring?.State,
    }),
    ...(what.endsWith('plane') ? [`${what} zone=${instance.Placement?.AvailabilityZone}`] : []),
    ...tagLines(what, instance.Tags),
    ...Volumes.flatMap(({ Size, VolumeType, Encrypted, Tags }) => [
      ...linesOf(`volume ${what}`, { size: Size, type: VolumeType, encrypted: Encrypted }),
      ...tagLines(`volume ${what}`, Tags),
    ]),
  ];
};

/** The cluster's resources in EC2. */
export const ec2Lines = async (ec2: EC2Client): Promise<string[]> => {
  const { inside } = await vpcOf(ec2);
  return [
    ...(await vpcLines(ec2)),
    ...(await subnetLines(ec2, inside)),
    ...(await groupLines(ec2, inside)),
    ...(await addressLines(ec2)),
    ...(await instanceLines(ec2, inside)),
  ];
};
