import {
  CreateKeyPairCommand,
  DescribeImagesCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  type EC2Client,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type TestAws } from '../../../test-aws.ts';
import { instanceCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({ instanceStartMilliseconds: 300, instanceStopMilliseconds: 500 });
const { idsWith, imagesNamed, instanceOf, run, runOne, subnetId } = instanceCalls(account);
let test: TestAws;
let ec2: EC2Client;
let SubnetId: string;
beforeEach(async () => {
  ({ test, ec2 } = account);
  SubnetId = await subnetId();
});

describe('a launch', () => {
  it('creates what was requested', async () => {
    const id = await runOne({
      UserData: Buffer.from('#cloud-config\n').toString('base64'),
      IamInstanceProfile: { Name: 'nodes.cluster-api-provider-aws.sigs.k8s.io' },
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { VolumeSize: 30, VolumeType: 'gp3', Encrypted: true } }],
      TagSpecifications: [
        { ResourceType: 'instance', Tags: [{ Key: 'Name', Value: 'one' }] },
        { ResourceType: 'volume', Tags: [{ Key: 'Name', Value: 'disk' }] },
        { ResourceType: 'network-interface', Tags: [{ Key: 'Name', Value: 'card' }] },
      ],
    });

    const instance = await instanceOf(id);
    const attached = [{ Name: 'attachment.instance-id', Values: [id] }];
    const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({ Filters: attached }));
    const { NetworkInterfaces = [] } = await ec2.send(new DescribeNetworkInterfacesCommand({ Filters: attached }));
    const data = await ec2.send(new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute: 'userData' }));

    expect(instance).toMatchObject({
      State: { Code: 0, Name: 'pending' },
      InstanceType: 't3.large',
      PrivateIpAddress: '172.31.16.4',
      PrivateDnsName: 'ip-172-31-16-4.ec2.internal',
      NetworkInterfaces: [{ PrivateIpAddress: '172.31.16.4', PrivateDnsName: 'ip-172-31-16-4.ec2.internal' }],
      Placement: { AvailabilityZone: 'us-east-1b', Tenancy: 'default' },
      Tags: [{ Key: 'Name', Value: 'one' }],
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      IamInstanceProfile: {
        Arn: 'arn:aws:iam::000000000000:instance-profile/nodes.cluster-api-provider-aws.sigs.k8s.io',
      },
      LaunchTime: test.clock.now(),
    });
    expect(Volumes[0]).toMatchObject({ Size: 30, Encrypted: true, Tags: [{ Key: 'Name', Value: 'disk' }] });
    expect(NetworkInterfaces[0]).toMatchObject({
      PrivateIpAddress: '172.31.16.4',
      TagSet: [{ Key: 'Name', Value: 'card' }],
    });
    expect(Buffer.from(data.UserData?.Value ?? '', 'base64').toString()).toBe('#cloud-config\n');
  });

  it('returns the same instances for the same client token', async () => {
    const ClientToken = 'machine-1';
    const id = await runOne({ ClientToken, UserData: 'YQ==' });
    test.clock.advance(300);

    const again = await run({ ClientToken, UserData: 'YQ==' });

    expect(again.map(({ InstanceId, State }) => [InstanceId, State?.Name])).toEqual([[id, 'running']]);
    expect(await codeOf(run({ ClientToken, UserData: 'Yg==' }))).toBe('IdempotentParameterMismatch');
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    expect(await codeOf(run({ ClientToken, UserData: 'YQ==' }))).toBe('IdempotentInstanceTerminated');
  });

  it('does not reuse a released address immediately', async () => {
    const id = await runOne();
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    test.clock.advance(500);

    expect((await run())[0]?.PrivateIpAddress).toBe('172.31.16.5');
  });

  it('creates all instances or none if addresses or vCPUs run out', async () => {
    test.account.settings.quotas.vcpus = 5;

    expect(await codeOf(run({ MinCount: 3, MaxCount: 3 }))).toBe('VcpuLimitExceeded');
    await run({ MinCount: 2, MaxCount: 2 });
    expect(await codeOf(run())).toBe('VcpuLimitExceeded');
    test.account.settings.quotas.vcpus = 100_000;
    expect(await codeOf(run({ MinCount: 5000, MaxCount: 5000 }))).toBe('InsufficientFreeAddressesInSubnet');
    expect(await idsWith('subnet-id', SubnetId)).toHaveLength(2);
  });

  it('fails for lack of capacity if a gap is configured', async () => {
    test.account.settings.capacityGaps = [{ zone: 'us-east-1b', instanceType: 't3.large' }];

    expect(await codeOf(run())).toBe('InsufficientInstanceCapacity');
    expect(await run({ InstanceType: 't3.xlarge' })).toHaveLength(1);
  });

  it.each([
    [{ ImageId: 'ami-0123456789abcdef0' }, 'InvalidAMIID.NotFound'],
    [{ ImageId: 'ubuntu' }, 'InvalidAMIID.Malformed'],
    [{ InstanceType: 'q9.huge' as 't3.large' }, 'InvalidParameterValue'],
    [{ InstanceType: 'm7g.large' }, 'InvalidParameterValue'],
    [{ SubnetId: 'subnet-0123456789abcdef0' }, 'InvalidSubnetID.NotFound'],
    [{ SecurityGroupIds: ['sg-0123456789abcdef0'] }, 'InvalidGroup.NotFound'],
    [{ KeyName: 'mine' }, 'InvalidKeyPair.NotFound'],
    [{ UserData: 'not base64!' }, 'InvalidParameterValue'],
    [{ UserData: Buffer.alloc(16_385).toString('base64') }, 'InvalidParameterValue'],
    [{ MaxCount: 0 }, 'InvalidParameterValue'],
    [{ BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { VolumeSize: 4 } }] }, 'InvalidBlockDeviceMapping'],
    [{ Placement: { AvailabilityZone: 'us-east-1a' } }, 'InvalidParameterValue'],
    [{ TagSpecifications: [{ ResourceType: 'vpc', Tags: [{ Key: 'a', Value: 'b' }] }] }, 'InvalidParameterValue'],
    [
      { TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'aws:a', Value: '' }] }] },
      'InvalidParameterValue',
    ],
    [{ HibernationOptions: { Configured: true } }, 'NotSimulated'],
    [{ DryRun: true }, 'DryRunOperation'],
  ] as [Partial<RunInstancesCommandInput>, string][])('refuses %j with %s', async (more, code) => {
    expect(await codeOf(run(more))).toBe(code);
    expect(await idsWith('instance-state-name', 'pending', 'running')).toEqual([]);
  });

  it('accepts key pairs, and refuses zones that do not offer a type', async () => {
    const { KeyMaterial } = await ec2.send(new CreateKeyPairCommand({ KeyName: 'mine' }));
    const old = [{ Name: 'availability-zone', Values: ['us-east-1e'] }];
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ Filters: old }));

    expect(KeyMaterial).toContain('RSA PRIVATE KEY');
    expect((await run({ KeyName: 'mine' }))[0]?.KeyName).toBe('mine');
    expect(await codeOf(run({ SubnetId: Subnets[0]?.SubnetId }))).toBe('Unsupported');
  });
});

describe('the descriptions of images and types', () => {
  it.each(['1.28.0', '1.34.0', '1.36.1'])(
    'include the image of Kubernetes %s for both architectures',
    async (version) => {
      const intel = await imagesNamed(`capa-ami-ubuntu-24.04-?${version}-*`);
      const arm = await imagesNamed(`capa-ami-ubuntu-24.04-?${version}-*`, 'arm64');

      expect([intel.length, arm.length]).toEqual([1, 1]);
      expect(intel[0]?.ImageId).not.toBe(arm[0]?.ImageId);
      const byId = await ec2.send(new DescribeImagesCommand({ ImageIds: [intel[0]?.ImageId ?? ''] }));
      expect(byId.Images?.[0]?.Name).toBe(intel[0]?.Name);
    },
  );

  it('include no image for a nonexistent version', async () => {
    expect(await imagesNamed('capa-ami-ubuntu-24.04-?1.99.0-*')).toEqual([]);
  });

  it('include the types and where they are offered', async () => {
    const InstanceTypes = ['t3.large', 'm7g.xlarge'] as const;
    const types = await ec2.send(new DescribeInstanceTypesCommand({ InstanceTypes: [...InstanceTypes] }));
    const offers = await ec2.send(
      new DescribeInstanceTypeOfferingsCommand({
        LocationType: 'availability-zone',
        Filters: [{ Name: 'instance-type', Values: ['m5.large'] }],
      }),
    );

    expect(
      types.InstanceTypes?.map((type) => [
        type.VCpuInfo?.DefaultVCpus,
        type.MemoryInfo?.SizeInMiB,
        type.ProcessorInfo?.SupportedArchitectures,
      ]),
    ).toEqual([
      [2, 8192, ['x86_64']],
      [4, 16_384, ['arm64']],
    ]);
    expect(offers.InstanceTypeOfferings?.map(({ Location }) => Location)).not.toContain('us-east-1e');
    const unknown = ec2.send(new DescribeInstanceTypesCommand({ InstanceTypes: ['q9.huge' as 't3.large'] }));
    expect(await codeOf(unknown)).toBe('InvalidInstanceType');
  });
});

describe('a launch with further options', () => {
  it('names an instance by its id if requested', async () => {
    const id = await runOne({ PrivateDnsNameOptions: { HostnameType: 'resource-name' } });
    expect((await instanceOf(id))?.PrivateDnsName).toBe(`${id}.ec2.internal`);
  });

  it.each([
    {
      reason: 'a placement group that does not exist',
      more: { Placement: { GroupName: 'x' } },
      code: 'InvalidPlacementGroup.Unknown',
    },
    {
      reason: 'a partition without a group',
      more: { Placement: { PartitionNumber: 2 } },
      code: 'InvalidParameterCombination',
    },
    {
      reason: 'a reservation that does not exist',
      more: { CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } } },
      code: 'InvalidCapacityReservationId.NotFound',
    },
    {
      reason: 'a spot price that is too low',
      more: { InstanceMarketOptions: { MarketType: 'spot' as const, SpotOptions: { MaxPrice: '0.01' } } },
      code: 'SpotMaxPriceTooLow',
    },
    {
      reason: 'an instance profile that does not exist',
      more: { IamInstanceProfile: { Name: 'none' } },
      code: 'InvalidParameterValue',
    },
    {
      reason: 'CPU options that the type does not have',
      more: { CpuOptions: { AmdSevSnp: 'enabled' as const } },
      code: 'Unsupported',
    },
  ])('refuses $reason', async ({ more, code }) => {
    Object.assign(test.account.settings, { spotPrice: 0.03, missingInstanceProfiles: ['none'] });
    expect(await codeOf(run(more))).toBe(code);
  });
});
