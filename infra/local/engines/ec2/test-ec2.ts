import {
  AllocateAddressCommand,
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type Image,
  type Instance,
  RunInstancesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach } from 'vitest';
import { startTestAws, type TestAws } from '../../test-aws.ts';

/** For tests only: a new simulated account before each test of a file, and its EC2 with short forms of its calls. */
export interface TestEc2 {
  /** The account of the current test. */
  readonly test: TestAws;
  readonly ec2: EC2Client;
}

export const useTestEc2 = (settings: Parameters<typeof startTestAws>[0]): TestEc2 => {
  let test: TestAws;
  let ec2: EC2Client;
  beforeEach(async () => {
    test = await startTestAws(settings);
    ec2 = new EC2Client(test.direct);
  });
  afterEach(async () => {
    ec2.destroy();
    await test.aws.close();
  });
  return {
    get test() {
      return test;
    },
    get ec2() {
      return ec2;
    },
  };
};

/** Calls that create parts of a network and return their ids. */
export const networkCalls = (account: TestEc2) => ({
  newVpc: async (CidrBlock = '10.0.0.0/16'): Promise<string> =>
    (await account.ec2.send(new CreateVpcCommand({ CidrBlock }))).Vpc?.VpcId ?? '',

  newSubnet: async (VpcId: string, CidrBlock: string, AvailabilityZone = 'us-east-1a'): Promise<string> => {
    const command = new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone });
    return (await account.ec2.send(command)).Subnet?.SubnetId ?? '';
  },

  newGateway: async (VpcId: string): Promise<string> => {
    const { InternetGateway } = await account.ec2.send(new CreateInternetGatewayCommand({}));
    const InternetGatewayId = InternetGateway?.InternetGatewayId ?? '';
    await account.ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    return InternetGatewayId;
  },

  newAddress: async (): Promise<string> =>
    (await account.ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId ?? '',

  newNat: async (SubnetId: string, AllocationId: string): Promise<string> => {
    const { NatGateway } = await account.ec2.send(new CreateNatGatewayCommand({ SubnetId, AllocationId }));
    return NatGateway?.NatGatewayId ?? '';
  },
});

/** Calls about instances, which are launched in a subnet of us-east-1b from an image of the provider's. */
export const instanceCalls = (account: TestEc2) => {
  const subnetId = async (): Promise<string> => {
    const Filters = [{ Name: 'availability-zone', Values: ['us-east-1b'] }];
    return (await account.ec2.send(new DescribeSubnetsCommand({ Filters }))).Subnets?.[0]?.SubnetId ?? '';
  };

  const imagesNamed = async (name: string, architecture = 'x86_64'): Promise<Image[]> => {
    const Filters = [
      { Name: 'name', Values: [name] },
      { Name: 'architecture', Values: [architecture] },
      { Name: 'state', Values: ['available'] },
      { Name: 'virtualization-type', Values: ['hvm'] },
    ];
    return (
      (
        await account.ec2.send(
          new DescribeImagesCommand({ IncludeDeprecated: true, Owners: ['819546954734'], Filters }),
        )
      ).Images ?? []
    );
  };

  const imageId = async (): Promise<string> => (await imagesNamed('capa-ami-ubuntu-24.04-?1.34.0-*'))[0]?.ImageId ?? '';

  const run = async (more: Partial<RunInstancesCommandInput> = {}): Promise<Instance[]> => {
    const place = { ImageId: await imageId(), SubnetId: await subnetId() };
    const base = { ...place, InstanceType: 't3.large', MinCount: 1, MaxCount: 1 } as const;
    return (await account.ec2.send(new RunInstancesCommand({ ...base, ...more }))).Instances ?? [];
  };

  return {
    subnetId,
    imagesNamed,
    run,

    runOne: async (more: Partial<RunInstancesCommandInput> = {}): Promise<string> =>
      (await run(more))[0]?.InstanceId ?? '',

    instanceOf: async (id: string): Promise<Instance | undefined> =>
      (await account.ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }))).Reservations?.[0]?.Instances?.[0],

    idsWith: async (Name: string, ...Values: string[]) => {
      const { Reservations = [] } = await account.ec2.send(
        new DescribeInstancesCommand({ Filters: [{ Name, Values }] }),
      );
      return Reservations.flatMap(({ Instances = [] }) => Instances.map(({ InstanceId }) => InstanceId));
    },
  };
};
