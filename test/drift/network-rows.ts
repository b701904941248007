import {
  AuthorizeSecurityGroupIngressCommand,
  CreateTagsCommand,
  DeleteNatGatewayCommand,
  DeleteRouteCommand,
  DeleteSecurityGroupCommand,
  DeleteTagsCommand,
  DescribeInternetGatewaysCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcAttributeCommand,
  DisassociateRouteTableCommand,
  ModifySubnetAttributeCommand,
  ModifyVpcAttributeCommand,
  ReplaceRouteCommand,
  RevokeSecurityGroupIngressCommand,
  type RouteTable,
} from '@aws-sdk/client-ec2';
import type { DriftWorld } from './drift-world.ts';
import type { Row } from './row.ts';

const vpcOf = async (world: DriftWorld) => (await world.awsCluster()).spec.network?.vpc?.id ?? '';

const inVpc = async (world: DriftWorld) => [{ Name: 'vpc-id', Values: [await vpcOf(world)] }];

const groupOf = async (world: DriftWorld, role: string) => {
  const Filters = [...(await inVpc(world)), { Name: 'group-name', Values: [`red-${role}`] }];
  return (await world.client.send(new DescribeSecurityGroupsCommand({ Filters }))).SecurityGroups?.[0];
};

const SSH = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };

const hasPort = async (world: DriftWorld, port: number) =>
  (await groupOf(world, 'node'))?.IpPermissions?.some(({ FromPort }) => FromPort === port) === true;

const subnetOf = async (world: DriftWorld, role: 'public' | 'private') => {
  const Filters = [...(await inVpc(world)), { Name: 'tag:sigs.k8s.io/cluster-api-provider-aws/role', Values: [role] }];
  return (await world.client.send(new DescribeSubnetsCommand({ Filters }))).Subnets?.[0];
};

const tablesOf = async (world: DriftWorld): Promise<RouteTable[]> =>
  (await world.client.send(new DescribeRouteTablesCommand({ Filters: await inVpc(world) }))).RouteTables ?? [];

const isDefault = ({ DestinationCidrBlock }: { DestinationCidrBlock?: string }) => DestinationCidrBlock === '0.0.0.0/0';

const tableBehind = async (world: DriftWorld, gateway: 'igw' | 'nat') => {
  const names = (table: RouteTable) =>
    table.Tags?.some(({ Value }) => Value?.includes(gateway === 'igw' ? 'public' : 'private'));
  return (await tablesOf(world)).find(names);
};

const defaultRoute = async (world: DriftWorld, gateway: 'igw' | 'nat') =>
  (await tableBehind(world, gateway))?.Routes?.find(isDefault);

const gatewayOf = async (world: DriftWorld) => {
  const Filters = [{ Name: 'tag-key', Values: ['sigs.k8s.io/cluster-api-provider-aws/cluster/red'] }];
  return (await world.client.send(new DescribeInternetGatewaysCommand({ Filters }))).InternetGateways?.[0];
};

const liveNat = async (world: DriftWorld) => {
  const Filter = [...(await inVpc(world)), { Name: 'state', Values: ['pending', 'available'] }];
  return (await world.client.send(new DescribeNatGatewaysCommand({ Filter }))).NatGateways?.[0];
};

const ELB_ROLE = 'kubernetes.io/role/elb';

const rename = (world: DriftWorld, id = '') =>
  world.client.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'Name', Value: 'mine' }] }));

const isRenamed = (found: { Tags?: { Key?: string; Value?: string }[] } | undefined): boolean =>
  found?.Tags?.some(({ Key, Value }) => Key === 'Name' && Value === 'mine') === true;

const OWNERSHIP = 'sigs.k8s.io/cluster-api-provider-aws/cluster/red';

const isTagged = async (world: DriftWorld) =>
  world.account
    .ec2()
    .vpcs.get(await vpcOf(world))
    .tags.has(OWNERSHIP);

const hasSupport = async (world: DriftWorld) => {
  const input = { VpcId: await vpcOf(world), Attribute: 'enableDnsHostnames' } as const;
  return (await world.client.send(new DescribeVpcAttributeCommand(input))).EnableDnsHostnames?.Value === true;
};

const RULES: readonly Row[] = [
  {
    kind: 'SecurityGroup',
    what: 'deletes a security group',
    step: 'network',
    change: async (world) =>
      world.client.send(new DeleteSecurityGroupCommand({ GroupId: (await groupOf(world, 'lb'))?.GroupId })),
    isThere: async (world) => (await groupOf(world, 'lb')) === undefined,
  },
  {
    kind: 'SecurityGroupRules',
    what: 'adds a rule to a security group',
    step: 'network',
    change: async (world) =>
      world.client.send(
        new AuthorizeSecurityGroupIngressCommand({
          GroupId: (await groupOf(world, 'node'))?.GroupId,
          IpPermissions: [SSH],
        }),
      ),
    isThere: (world) => hasPort(world, 22),
  },
  {
    kind: 'SecurityGroupRules',
    what: 'removes a rule from a security group',
    step: 'network',
    isOnlyReported: true,
    change: async (world) => {
      const group = await groupOf(world, 'node');
      const kubelet = group?.IpPermissions?.filter(({ FromPort }) => FromPort === 10250);
      await world.client.send(
        new RevokeSecurityGroupIngressCommand({ GroupId: group?.GroupId, IpPermissions: kubelet }),
      );
    },
    isThere: async (world) => !(await hasPort(world, 10250)),
  },
];

const ROUTES: readonly Row[] = [
  {
    kind: 'Route',
    what: 'deletes the default route of a public subnet',
    step: 'network',
    change: async (world) =>
      world.client.send(
        new DeleteRouteCommand({
          RouteTableId: (await tableBehind(world, 'igw'))?.RouteTableId,
          DestinationCidrBlock: '0.0.0.0/0',
        }),
      ),
    isThere: async (world) => (await defaultRoute(world, 'igw')) === undefined,
  },
  {
    kind: 'Route',
    what: 'redirects the default route of a private subnet',
    step: 'natGateways',
    change: async (world) =>
      world.client.send(
        new ReplaceRouteCommand({
          RouteTableId: (await tableBehind(world, 'nat'))?.RouteTableId,
          DestinationCidrBlock: '0.0.0.0/0',
          GatewayId: (await gatewayOf(world))?.InternetGatewayId,
        }),
      ),
    isThere: async (world) => (await defaultRoute(world, 'nat'))?.GatewayId !== undefined,
  },
  {
    kind: 'Route',
    what: 'dissociates the route table of a subnet',
    step: 'network',
    change: async (world) => {
      const table = await tableBehind(world, 'igw');
      const AssociationId = table?.Associations?.[0]?.RouteTableAssociationId;
      await world.client.send(new DisassociateRouteTableCommand({ AssociationId }));
    },
    isThere: async (world) => (await tableBehind(world, 'igw'))?.Associations?.length === 0,
  },
];

const PARTS: readonly Row[] = [
  {
    kind: 'Tags',
    what: 'removes a tag from a subnet',
    step: 'network',
    change: async (world) =>
      world.client.send(
        new DeleteTagsCommand({
          Resources: [(await subnetOf(world, 'public'))?.SubnetId ?? ''],
          Tags: [{ Key: ELB_ROLE }],
        }),
      ),
    isThere: async (world) => !(await subnetOf(world, 'public'))?.Tags?.some(({ Key }) => Key === ELB_ROLE),
  },
  {
    kind: 'Tags',
    what: 'changes a tag of the VPC',
    step: 'network',
    change: async (world) => rename(world, await vpcOf(world)),
    isThere: async ({ account, ...world }) =>
      account
        .ec2()
        .vpcs.get(await vpcOf({ account, ...world }))
        .tags.get('Name') === 'mine',
  },
  {
    kind: 'Tags',
    what: 'changes a tag of the internet gateway',
    step: 'network',
    change: async (world) => rename(world, (await gatewayOf(world))?.InternetGatewayId),
    isThere: async (world) => isRenamed(await gatewayOf(world)),
  },
  {
    kind: 'Tags',
    what: 'changes a tag of a NAT gateway',
    step: 'natGateways',
    change: async (world) => rename(world, (await liveNat(world))?.NatGatewayId),
    isThere: async (world) => isRenamed(await liveNat(world)),
  },
  {
    kind: 'VpcOwnership',
    what: 'removes the ownership tag of the VPC',
    step: 'network',
    change: async (world) =>
      world.client.send(new DeleteTagsCommand({ Resources: [await vpcOf(world)], Tags: [{ Key: OWNERSHIP }] })),
    isThere: async (world) => !(await isTagged(world)),
  },
  {
    kind: 'Network',
    what: 'stops a public subnet from assigning public addresses',
    step: 'network',
    change: async (world) =>
      world.client.send(
        new ModifySubnetAttributeCommand({
          SubnetId: (await subnetOf(world, 'public'))?.SubnetId,
          MapPublicIpOnLaunch: { Value: false },
        }),
      ),
    isThere: async (world) => (await subnetOf(world, 'public'))?.MapPublicIpOnLaunch !== true,
  },
  {
    kind: 'Network',
    what: "turns off the VPC's DNS host names",
    step: 'network',
    change: async (world) =>
      world.client.send(
        new ModifyVpcAttributeCommand({ VpcId: await vpcOf(world), EnableDnsHostnames: { Value: false } }),
      ),
    isThere: async (world) => !(await hasSupport(world)),
  },
];

const GATEWAYS: readonly Row[] = [
  {
    kind: 'NatGateway',
    what: 'deletes a NAT gateway',
    step: 'natGateways',
    change: async (world) => {
      await world.client.send(new DeleteNatGatewayCommand({ NatGatewayId: (await liveNat(world))?.NatGatewayId }));
      world.clock.advance(3600);
    },
    isThere: async (world) => (await liveNat(world)) === undefined,
  },
];

/** Changes to networks. */
export const NETWORK_ROWS: readonly Row[] = [...RULES, ...ROUTES, ...PARTS, ...GATEWAYS];
