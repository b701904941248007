import {
  AttachInternetGatewayCommand,
  CreateVpcCommand,
  DeleteInternetGatewayCommand,
  DeleteNatGatewayCommand,
  DeleteSubnetCommand,
  DeleteVpcCommand,
  DescribeInternetGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  DetachInternetGatewayCommand,
  EC2Client,
  ModifySubnetAttributeCommand,
  ModifyVpcAttributeCommand,
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

describe('a new account', () => {
  it('has a default VPC with a public subnet in each zone', async () => {
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({}));

    expect(Vpcs.map(({ CidrBlock, IsDefault }) => [CidrBlock, IsDefault])).toEqual([['172.31.0.0/16', true]]);
    expect(Subnets.map(({ AvailabilityZone, CidrBlock }) => `${AvailabilityZone} ${CidrBlock}`)).toEqual([
      'us-east-1a 172.31.0.0/20',
      'us-east-1b 172.31.16.0/20',
      'us-east-1c 172.31.32.0/20',
      'us-east-1d 172.31.48.0/20',
      'us-east-1e 172.31.64.0/20',
      'us-east-1f 172.31.80.0/20',
    ]);
    expect(RouteTables[0]?.Routes?.map(({ DestinationCidrBlock }) => DestinationCidrBlock)).toEqual([
      '172.31.0.0/16',
      '0.0.0.0/0',
    ]);
  });

  it('has a separate state in each region', async () => {
    const europe = new EC2Client({ ...test.client, region: 'eu-central-1' });
    await newVpc();

    const { Subnets = [] } = await europe.send(new DescribeSubnetsCommand({}));
    const { Vpcs = [] } = await europe.send(new DescribeVpcsCommand({}));
    europe.destroy();

    expect(Vpcs).toHaveLength(1);
    expect(Subnets.map(({ AvailabilityZoneId }) => AvailabilityZoneId)).toEqual(['euc1-az1', 'euc1-az2', 'euc1-az3']);
  });
});

describe('a VPC', () => {
  it('is created with its tags, and can be found by them', async () => {
    const tags = [
      { Key: 'Name', Value: 'a & <b> "c"' },
      { Key: 'empty', Value: '' },
    ];
    const { Vpc } = await ec2.send(
      new CreateVpcCommand({
        CidrBlock: '10.0.0.0/16',
        TagSpecifications: [{ ResourceType: 'vpc', Tags: tags }],
      }),
    );

    const byTag = { Filters: [{ Name: 'tag:Name', Values: ['a & <b> "c"'] }] };
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand(byTag));

    expect(Vpc?.State).toBe('pending');
    expect(Vpcs.map(({ VpcId, State, Tags }) => ({ VpcId, State, Tags }))).toEqual([
      { VpcId: Vpc?.VpcId, State: 'available', Tags: tags },
    ]);
  });

  it.each([
    ['10.0.0.0/8', 'InvalidVpc.Range'],
    ['10.0.0.0/29', 'InvalidVpc.Range'],
    ['10.0.0/16', 'InvalidParameterValue'],
  ])('is refused with the block %s and the error %s', async (CidrBlock, code) => {
    expect(await codeOf(ec2.send(new CreateVpcCommand({ CidrBlock })))).toBe(code);
  });

  it('is refused beyond the quota, and accepted when the quota is raised', async () => {
    test.account.settings.quotas.vpcs = 1;
    expect(await codeOf(newVpc())).toBe('VpcLimitExceeded');

    test.account.settings.quotas.vpcs = 2;
    expect(await newVpc()).toMatch(/^vpc-0[0-9a-f]{16}$/);
  });

  it('has DNS attributes that can be changed one at a time', async () => {
    const VpcId = await newVpc();
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsHostnames: { Value: true } }));

    const attribute = await ec2.send(new DescribeVpcAttributeCommand({ VpcId, Attribute: 'enableDnsHostnames' }));

    expect(attribute.EnableDnsHostnames).toEqual({ Value: true });
  });

  it('cannot be deleted before its contents', async () => {
    const VpcId = await newVpc();
    const InternetGatewayId = await newGateway(VpcId);
    const SubnetId = await newSubnet(VpcId, '10.0.0.0/24');
    const drop = () => ec2.send(new DeleteVpcCommand({ VpcId }));

    expect(await codeOf(drop())).toBe('DependencyViolation');
    await ec2.send(new DeleteSubnetCommand({ SubnetId }));
    expect(await codeOf(drop())).toBe('DependencyViolation');
    await ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    await drop();
    expect(await codeOf(drop())).toBe('InvalidVpcID.NotFound');
  });

  it('is refused with a parameter that is not simulated, with its name', async () => {
    const call = ec2.send(
      new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', Ipv6CidrBlockNetworkBorderGroup: 'us-east-1' }),
    );

    await expect(call).rejects.toMatchObject({
      name: 'NotSimulated',
      message: expect.stringContaining('Ipv6CidrBlockNetworkBorderGroup of ec2:CreateVpc'),
    });
  });
});

describe('a subnet', () => {
  it('reserves five addresses, and reports the number of free ones', async () => {
    const VpcId = await newVpc();
    const SubnetId = await newSubnet(VpcId, '10.0.0.0/28', 'us-east-1c');
    await ec2.send(new ModifySubnetAttributeCommand({ SubnetId, MapPublicIpOnLaunch: { Value: true } }));

    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [SubnetId] }));

    expect(Subnets[0]).toMatchObject({
      AvailableIpAddressCount: 11,
      AvailabilityZoneId: 'use1-az3',
      MapPublicIpOnLaunch: true,
    });
  });

  it.each([
    ['10.1.0.0/24', 'InvalidSubnet.Range'],
    ['10.0.0.0/30', 'InvalidSubnet.Range'],
    ['10.0.0.128/25', 'InvalidSubnet.Conflict'],
    ['ten', 'InvalidParameterValue'],
  ])('is refused with the block %s and the error %s', async (block, code) => {
    const VpcId = await newVpc();
    await newSubnet(VpcId, '10.0.0.0/24');

    expect(await codeOf(newSubnet(VpcId, block))).toBe(code);
  });

  it('is refused in a nonexistent zone', async () => {
    const VpcId = await newVpc();
    expect(await codeOf(newSubnet(VpcId, '10.0.0.0/24', 'us-east-1z'))).toBe('InvalidParameterValue');
  });
});

describe('an internet gateway', () => {
  it('can be attached to only one VPC, and a VPC can have only one gateway', async () => {
    const [one, two] = [await newVpc(), await newVpc('10.1.0.0/16')];
    const InternetGatewayId = await newGateway(one);

    const again = ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId: two }));
    expect(await codeOf(again)).toBe('Resource.AlreadyAssociated');
    expect(await codeOf(newGateway(one))).toBe('InvalidParameterValue');

    const attached = { Filters: [{ Name: 'attachment.vpc-id', Values: [one] }] };
    const { InternetGateways = [] } = await ec2.send(new DescribeInternetGatewaysCommand(attached));
    expect(InternetGateways[0]?.Attachments).toEqual([{ VpcId: one, State: 'available' }]);
  });

  it('can be detached only without public addresses, and deleted only when detached', async () => {
    const VpcId = await newVpc();
    const InternetGatewayId = await newGateway(VpcId);
    const nat = await newNat(await newSubnet(VpcId, '10.0.0.0/24'), await newAddress());
    const detach = () => ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    const remove = () => ec2.send(new DeleteInternetGatewayCommand({ InternetGatewayId }));

    expect(await codeOf(remove())).toBe('DependencyViolation');
    expect(await codeOf(detach())).toBe('DependencyViolation');
    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: nat }));
    test.clock.advance(1000);
    await detach();
    expect(await codeOf(detach())).toBe('Gateway.NotAttached');
    await remove();
    expect(await codeOf(remove())).toBe('InvalidInternetGatewayID.NotFound');
  });
});
