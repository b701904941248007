import {
  AllocateAddressCommand,
  AssociateVpcCidrBlockCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  type CreateVpcCommandInput,
  CreateVpcEndpointCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  DeleteVpcCommand,
  DeleteVpcEndpointsCommand,
  DescribeAvailabilityZonesCommand,
  DescribeIpamPoolsCommand,
  DescribePublicIpv4PoolsCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  DisassociateVpcCidrBlockCommand,
  ModifyAvailabilityZoneGroupCommand,
  ModifySubnetAttributeCommand,
  ModifyVpcEndpointCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { instanceCalls, networkCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({});
const { newVpc, newSubnet } = networkCalls(account);
const { run } = instanceCalls(account);

const newDualStackVpc = async (more: Partial<CreateVpcCommandInput> = { AmazonProvidedIpv6CidrBlock: true }) => {
  const { Vpc } = await account.ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', ...more }));
  const VpcIds = [Vpc?.VpcId ?? ''];
  const { Vpcs } = await account.ec2.send(new DescribeVpcsCommand({ VpcIds }));
  const [block] = Vpcs?.[0]?.Ipv6CidrBlockAssociationSet ?? [];
  return { id: VpcIds[0] ?? '', block: block?.Ipv6CidrBlock ?? '', pool: block?.Ipv6Pool };
};

const newTable = async (VpcId: string): Promise<string> =>
  (await account.ec2.send(new CreateRouteTableCommand({ VpcId }))).RouteTable?.RouteTableId ?? '';

const routesOf = async (id: string) => {
  const { RouteTables } = await account.ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] }));
  return RouteTables?.[0]?.Routes ?? [];
};

describe('the blocks of a VPC', () => {
  it('include secondary ones with local routes, until they are removed', async () => {
    const VpcId = await newVpc();
    const table = await newTable(VpcId);
    const associate = (CidrBlock: string) => account.ec2.send(new AssociateVpcCidrBlockCommand({ VpcId, CidrBlock }));

    const { CidrBlockAssociation } = await associate('100.64.0.0/16');
    const SubnetId = await newSubnet(VpcId, '100.64.1.0/24');

    expect(SubnetId).toMatch(/^subnet-/);
    expect((await routesOf(table)).map(({ DestinationCidrBlock }) => DestinationCidrBlock)).toContain('100.64.0.0/16');
    await expect(associate('10.0.128.0/20')).rejects.toThrow('conflicts');
    await expect(associate('192.168.0.0/16')).rejects.toThrow('is restricted');
    const { AssociationId } = CidrBlockAssociation ?? {};
    const drop = (id: string | undefined) =>
      account.ec2.send(new DisassociateVpcCidrBlockCommand({ AssociationId: id ?? '' }));
    await expect(drop(AssociationId)).rejects.toMatchObject({ name: 'InvalidCidrBlock.InUse' });
    const { Vpcs } = await account.ec2.send(new DescribeVpcsCommand({ VpcIds: [VpcId] }));
    const first = Vpcs?.[0]?.CidrBlockAssociationSet?.[0]?.AssociationId;
    await expect(drop(first)).rejects.toMatchObject({ name: 'OperationNotPermitted' });
  });

  it('can be IPv6 blocks of Amazon, or free blocks of pools', async () => {
    account.test.account.settings.ipamPools = [
      { id: 'ipam-pool-0a', name: 'four', family: 'ipv4', cidr: '10.8.0.0/15' },
      { id: 'ipam-pool-0b', name: 'six', family: 'ipv6', cidr: '2001:db8:a000::/52', defaultNetmaskLength: 56 },
    ];
    const first = await newDualStackVpc();
    const second = await newDualStackVpc({ Ipv6IpamPoolId: 'ipam-pool-0b' });
    const ask = { Ipv4IpamPoolId: 'ipam-pool-0a', Ipv4NetmaskLength: 16 };
    const blocks = [];
    for (let count = 0; count < 2; count += 1)
      blocks.push((await account.ec2.send(new CreateVpcCommand(ask))).Vpc?.CidrBlock);
    const Filters = [{ Name: 'tag:Name', Values: ['six'] }];
    const { IpamPools } = await account.ec2.send(new DescribeIpamPoolsCommand({ Filters }));

    expect(first).toMatchObject({ block: '2001:db8::/56', pool: 'Amazon' });
    expect(second).toMatchObject({ block: '2001:db8:a000::/56', pool: 'IPAM Managed' });
    expect(blocks).toEqual(['10.8.0.0/16', '10.9.0.0/16']);
    await expect(account.ec2.send(new CreateVpcCommand(ask))).rejects.toThrow('too big for the pool');
    expect(IpamPools).toMatchObject([{ IpamPoolId: 'ipam-pool-0b', AddressFamily: 'ipv6' }]);
  });
});

describe('subnets with IPv6', () => {
  it('lie in the block of the VPC, and assign addresses to instances if configured', async () => {
    const { id: VpcId } = await newDualStackVpc();
    const place = { VpcId, AvailabilityZone: 'us-east-1b' };
    const make = (more: object) => account.ec2.send(new CreateSubnetCommand({ ...place, ...more }));
    const both = { CidrBlock: '10.0.0.0/24', Ipv6CidrBlock: '2001:db8:0:1::/64' };
    const SubnetId = (await make(both)).Subnet?.SubnetId ?? '';
    const modify = (more: object) => account.ec2.send(new ModifySubnetAttributeCommand({ SubnetId, ...more }));
    const yes = { Value: true };
    await modify({ AssignIpv6AddressOnCreation: yes });
    const [instance] = await run({ SubnetId });

    expect(instance?.Ipv6Address).toMatch(/^2001:db8:0:1:/);
    await expect(modify({ EnableDns64: yes, MapPublicIpOnLaunch: yes })).rejects.toThrow('Only one subnet attribute');
    await expect(make({ ...both, CidrBlock: '10.0.1.0/24' })).rejects.toMatchObject({ name: 'InvalidSubnet.Conflict' });
    await expect(make({ CidrBlock: '10.0.1.0/24', Ipv6CidrBlock: '2001:db8:1::/64' })).rejects.toMatchObject({
      name: 'InvalidSubnet.Range',
    });
    const native = await make({ Ipv6CidrBlock: '2001:db8:0:2::/64', Ipv6Native: true });
    expect(native.Subnet).toMatchObject({ Ipv6Native: true, AssignIpv6AddressOnCreation: true });
    expect(native.Subnet?.CidrBlock).toBeUndefined();
    const { Subnets } = await account.ec2.send(new DescribeSubnetsCommand({ SubnetIds: [SubnetId] }));
    expect(Subnets).toMatchObject([{ AssignIpv6AddressOnCreation: true, EnableDns64: false }]);
  });
});

describe('gateways and endpoints', () => {
  it('route IPv6 through an egress-only gateway, which the VPC cannot be deleted before', async () => {
    const { id: VpcId } = await newDualStackVpc();
    const RouteTableId = await newTable(VpcId);
    const request = { VpcId, ClientToken: 'once' };
    const create = () => account.ec2.send(new CreateEgressOnlyInternetGatewayCommand(request));
    const made = await create();
    const EgressOnlyInternetGatewayId = made.EgressOnlyInternetGateway?.EgressOnlyInternetGatewayId ?? '';
    const way = { RouteTableId, EgressOnlyInternetGatewayId };
    await account.ec2.send(new CreateRouteCommand({ ...way, DestinationIpv6CidrBlock: '::/0' }));

    expect((await create()).EgressOnlyInternetGateway).toEqual(made.EgressOnlyInternetGateway);
    await expect(account.ec2.send(new DeleteVpcCommand({ VpcId }))).rejects.toThrow('has dependencies');
    await account.ec2.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId }));
    const route = (await routesOf(RouteTableId)).find((one) => one.DestinationIpv6CidrBlock === '::/0');
    expect(route).toMatchObject({ State: 'blackhole', EgressOnlyInternetGatewayId });
  });

  it('include an S3 endpoint, whose route is in the tables that it serves', async () => {
    const VpcId = await newVpc();
    const [first, second] = [await newTable(VpcId), await newTable(VpcId)];
    const request = { VpcId, ServiceName: 'com.amazonaws.us-east-1.s3', RouteTableIds: [first] };
    const create = (more: object) => account.ec2.send(new CreateVpcEndpointCommand({ ...request, ...more }));
    const VpcEndpointId = (await create({})).VpcEndpoint?.VpcEndpointId ?? '';
    const endpointsIn = async (id: string) =>
      (await routesOf(id)).filter(({ GatewayId }) => GatewayId === VpcEndpointId).length;

    await expect(create({})).rejects.toMatchObject({ name: 'RouteAlreadyExists' });
    await expect(create({ ServiceName: 'com.amazonaws.eu-west-1.s3' })).rejects.toMatchObject({
      name: 'InvalidServiceName',
    });
    const change = { VpcEndpointId, AddRouteTableIds: [second], RemoveRouteTableIds: [first] };
    await account.ec2.send(new ModifyVpcEndpointCommand(change));
    expect([await endpointsIn(first), await endpointsIn(second)]).toEqual([0, 1]);
    const VpcEndpointIds = [VpcEndpointId, 'vpce-0123456789abcdef0'];
    const { Unsuccessful } = await account.ec2.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds }));
    expect(Unsuccessful).toMatchObject([{ Error: { Code: 'InvalidVpcEndpointId.NotFound' } }]);
    expect(await endpointsIn(second)).toBe(0);
  });
});

describe('pools and zones', () => {
  it("provide users' own addresses until none is left", async () => {
    account.test.account.settings.publicIpv4Pools = [{ id: 'ipv4pool-ec2-0a', cidr: '203.0.113.0/31' }];
    const allocate = () =>
      account.ec2.send(new AllocateAddressCommand({ Domain: 'vpc', PublicIpv4Pool: 'ipv4pool-ec2-0a' }));
    const first = await allocate();
    const { PublicIpv4Pools } = await account.ec2.send(new DescribePublicIpv4PoolsCommand({}));
    await allocate();

    expect(first).toMatchObject({ PublicIp: '203.0.113.0', PublicIpv4Pool: 'ipv4pool-ec2-0a' });
    expect(PublicIpv4Pools).toMatchObject([{ TotalAddressCount: 2, TotalAvailableAddressCount: 1 }]);
    await expect(allocate()).rejects.toMatchObject({ name: 'InsufficientAddressCapacity' });
  });

  it('include local zones, which are available after opting in', async () => {
    const VpcId = await newVpc();
    const zones = async () => {
      const { AvailabilityZones } = await account.ec2.send(new DescribeAvailabilityZonesCommand({}));
      return (AvailabilityZones ?? []).filter(({ ZoneType }) => ZoneType !== 'availability-zone');
    };

    expect(await zones()).toEqual([]);
    await expect(newSubnet(VpcId, '10.0.0.0/24', 'us-east-1-nyc-1a')).rejects.toThrow('availabilityZone');
    const opt = { GroupName: 'us-east-1-nyc-1', OptInStatus: 'opted-in' } as const;
    await account.ec2.send(new ModifyAvailabilityZoneGroupCommand(opt));
    expect(await zones()).toMatchObject([{ ZoneType: 'local-zone', ParentZoneName: 'us-east-1a' }]);
    expect(await newSubnet(VpcId, '10.0.0.0/24', 'us-east-1-nyc-1a')).toMatch(/^subnet-/);
  });
});
