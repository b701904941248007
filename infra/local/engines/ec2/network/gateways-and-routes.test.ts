import {
  AssociateRouteTableCommand,
  CreateNatGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  DeleteNatGatewayCommand,
  DeleteRouteCommand,
  DeleteRouteTableCommand,
  DeleteSubnetCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
  type EC2Client,
  ReleaseAddressCommand,
  ReplaceRouteCommand,
} from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type TestAws } from '../../../test-aws.ts';
import { networkCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({ natMilliseconds: 1000 });
const { newAddress, newGateway, newNat, newSubnet, newVpc } = networkCalls(account);
let test: TestAws;
let ec2: EC2Client;
beforeEach(() => {
  ({ test, ec2 } = account);
});

const natOf = async (id: string) =>
  (await ec2.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [id] }))).NatGateways?.[0];

describe('a NAT gateway', () => {
  it('becomes available after some time, and uses its address until it is deleted', async () => {
    const VpcId = await newVpc();
    await newGateway(VpcId);
    const SubnetId = await newSubnet(VpcId, '10.0.0.0/24');
    const AllocationId = await newAddress();
    const NatGatewayId = await newNat(SubnetId, AllocationId);
    const release = () => ec2.send(new ReleaseAddressCommand({ AllocationId }));

    expect((await natOf(NatGatewayId))?.State).toBe('pending');
    test.clock.advance(1000);
    const available = await natOf(NatGatewayId);
    const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({ AllocationIds: [AllocationId] }));
    expect(available?.State).toBe('available');
    expect(available?.NatGatewayAddresses?.[0]).toMatchObject({ AllocationId, PublicIp: Addresses[0]?.PublicIp });
    expect(Addresses[0]?.AssociationId).toMatch(/^eipassoc-/);
    expect(await codeOf(release())).toBe('AuthFailure');

    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId }));
    expect((await natOf(NatGatewayId))?.State).toBe('deleting');
    expect(await codeOf(ec2.send(new DeleteSubnetCommand({ SubnetId })))).toBe('DependencyViolation');
    test.clock.advance(1000);
    expect((await natOf(NatGatewayId))?.State).toBe('deleted');
    await release();
    await ec2.send(new DeleteSubnetCommand({ SubnetId }));

    test.clock.advance(3_600_001);
    expect(await codeOf(natOf(NatGatewayId))).toBe('NatGatewayNotFound');
  });

  it('fails without an internet gateway, or with an address that is in use', async () => {
    const lonely = await newSubnet(await newVpc(), '10.0.0.0/24');
    const VpcId = await newVpc('10.1.0.0/16');
    await newGateway(VpcId);
    const SubnetId = await newSubnet(VpcId, '10.1.0.0/24');
    const AllocationId = await newAddress();
    await newNat(SubnetId, AllocationId);
    const unconnected = await newNat(lonely, await newAddress());
    const robbed = await newNat(SubnetId, AllocationId);
    test.clock.advance(1000);

    expect(await natOf(unconnected)).toMatchObject({ State: 'failed', FailureCode: 'Gateway.NotAttached' });
    expect(await natOf(robbed)).toMatchObject({ State: 'failed', FailureCode: 'Resource.AlreadyAssociated' });
  });

  it('is created once for a client token', async () => {
    const VpcId = await newVpc();
    await newGateway(VpcId);
    const SubnetId = await newSubnet(VpcId, '10.0.0.0/24');
    const input = { SubnetId, AllocationId: await newAddress(), ClientToken: 'token' };
    const [one, two] = [
      await ec2.send(new CreateNatGatewayCommand(input)),
      await ec2.send(new CreateNatGatewayCommand(input)),
    ];
    const other = ec2.send(new CreateNatGatewayCommand({ ...input, AllocationId: await newAddress() }));

    expect(two.NatGateway?.NatGatewayId).toBe(one.NatGateway?.NatGatewayId);
    expect(await codeOf(other)).toBe('IdempotentParameterMismatch');
  });

  it('is limited by the quotas of gateways and addresses', async () => {
    const VpcId = await newVpc();
    await newGateway(VpcId);
    const SubnetId = await newSubnet(VpcId, '10.0.0.0/24');
    const AllocationId = await newAddress();
    test.account.settings.quotas.natGatewaysPerZone = 0;
    test.account.settings.quotas.addresses = 1;

    expect(await codeOf(newNat(SubnetId, AllocationId))).toBe('NatGatewayLimitExceeded');
    expect(await codeOf(newAddress())).toBe('AddressLimitExceeded');
  });
});

describe('a route table', () => {
  const newTable = async (VpcId: string): Promise<string> =>
    (await ec2.send(new CreateRouteTableCommand({ VpcId }))).RouteTable?.RouteTableId ?? '';
  const routesOf = async (id: string) =>
    (await ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] }))).RouteTables?.[0]?.Routes;

  it('has one target for a destination, and a black hole once the target is gone', async () => {
    const VpcId = await newVpc();
    const InternetGatewayId = await newGateway(VpcId);
    const RouteTableId = await newTable(VpcId);
    const NatGatewayId = await newNat(await newSubnet(VpcId, '10.0.0.0/24'), await newAddress());
    const route = { RouteTableId, DestinationCidrBlock: '0.0.0.0/0' };

    expect(await codeOf(ec2.send(new ReplaceRouteCommand({ ...route, NatGatewayId })))).toBe('InvalidParameterValue');
    await ec2.send(new CreateRouteCommand({ ...route, GatewayId: InternetGatewayId }));
    expect(await codeOf(ec2.send(new CreateRouteCommand({ ...route, NatGatewayId })))).toBe('RouteAlreadyExists');
    await ec2.send(new ReplaceRouteCommand({ ...route, NatGatewayId }));
    expect((await routesOf(RouteTableId))?.[1]).toMatchObject({ NatGatewayId, State: 'active' });
    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId }));
    expect((await routesOf(RouteTableId))?.[1]).toMatchObject({ NatGatewayId, State: 'blackhole' });
    await ec2.send(new DeleteRouteCommand(route));
    expect(await codeOf(ec2.send(new DeleteRouteCommand(route)))).toBe('InvalidRoute.NotFound');
    const dead = ec2.send(new CreateRouteCommand({ ...route, NatGatewayId }));
    expect(await codeOf(dead)).toBe('InvalidNatGatewayID.NotFound');
  });

  it('of a subnet is the only one, and cannot be deleted while it is in use', async () => {
    const VpcId = await newVpc();
    const SubnetId = await newSubnet(VpcId, '10.0.0.0/24');
    const [RouteTableId, other] = [await newTable(VpcId), await newTable(VpcId)];
    const associate = (id: string) => ec2.send(new AssociateRouteTableCommand({ RouteTableId: id, SubnetId }));
    const { AssociationId } = await associate(RouteTableId);

    expect((await associate(RouteTableId)).AssociationId).toBe(AssociationId);
    expect(await codeOf(associate(other))).toBe('Resource.AlreadyAssociated');
    const remove = () => ec2.send(new DeleteRouteTableCommand({ RouteTableId }));
    expect(await codeOf(remove())).toBe('DependencyViolation');
    await ec2.send(new DisassociateRouteTableCommand({ AssociationId }));
    await remove();
    expect(await codeOf(remove())).toBe('InvalidRouteTableID.NotFound');
  });

  it('cannot be disassociated if it is the main one of a VPC', async () => {
    const VpcId = await newVpc();
    const Filters = [
      { Name: 'vpc-id', Values: [VpcId] },
      { Name: 'association.main', Values: ['true'] },
    ];
    const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({ Filters }));
    const AssociationId = RouteTables[0]?.Associations?.[0]?.RouteTableAssociationId;

    expect(await codeOf(ec2.send(new DisassociateRouteTableCommand({ AssociationId })))).toBe('InvalidParameterValue');
  });
});
