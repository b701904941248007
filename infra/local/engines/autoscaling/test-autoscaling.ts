import {
  type Activity,
  AutoScalingClient,
  type AutoScalingGroup,
  CreateAutoScalingGroupCommand,
  type CreateAutoScalingGroupCommandInput,
  DescribeAutoScalingGroupsCommand,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type Instance,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach } from 'vitest';
import { startTestAws, type TestAws } from '../../test-aws.ts';
import type { BusEvent } from '../events/bus.ts';

/** For tests only: a simulated account with a launch template `workers`, and short forms of calls about groups. */
export interface TestGroups {
  readonly test: TestAws;
  readonly client: AutoScalingClient;
  readonly ec2: EC2Client;
  /** The events of the account's services. */
  readonly events: BusEvent[];
  /** Creates the group `pool` with the template `workers` in two zones. */
  create(input?: Partial<CreateAutoScalingGroupCommandInput>): Promise<void>;
  group(name?: string): Promise<AutoScalingGroup>;
  /** The ids of the group's instances in a state, or of all its instances. */
  ids(state?: string): Promise<string[]>;
  activities(): Promise<Activity[]>;
  instance(id: string): Promise<Instance>;
  /** Advances the clock, and lets the groups do what is due in small steps. */
  pass(milliseconds: number): Promise<void>;
  subnets(...zones: string[]): Promise<string>;
}

const makeTestGroups = async (settings: Parameters<typeof startTestAws>[0]): Promise<TestGroups> => {
  const test = await startTestAws({ autoScalingTimeScale: 1, ...settings });
  const client = new AutoScalingClient(test.direct);
  const ec2 = new EC2Client(test.direct);
  const events: BusEvent[] = [];
  test.account.bus.listen((event) => events.push(event));
  const { Images } = await ec2.send(
    new DescribeImagesCommand({ Filters: [{ Name: 'name', Values: ['capa-ami-ubuntu-24.04-?1.34.0-*'] }] }),
  );
  const ImageId = Images?.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId;
  await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 'workers',
      LaunchTemplateData: { ImageId, InstanceType: 't3.large' },
    }),
  );
  const subnets = async (...zones: string[]): Promise<string> => {
    const Filters = [{ Name: 'availability-zone', Values: zones }];
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ Filters }));
    return Subnets.map(({ SubnetId }) => SubnetId).join(',');
  };
  const group = async (name = 'pool'): Promise<AutoScalingGroup> => {
    const answer = await client.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] }));
    const [found] = answer.AutoScalingGroups ?? [];
    if (!found) throw new Error(`there is no group ${name}`);
    return found;
  };
  return {
    ...{ test, client, ec2, events, group, subnets },
    create: async (input = {}) => {
      const base = {
        AutoScalingGroupName: 'pool',
        ...{ MinSize: 0, MaxSize: 10 },
        VPCZoneIdentifier: await subnets('us-east-1a', 'us-east-1b'),
      };
      const source = input.MixedInstancesPolicy ? {} : { LaunchTemplate: { LaunchTemplateName: 'workers' } };
      await client.send(new CreateAutoScalingGroupCommand({ ...base, ...source, ...input }));
    },
    ids: async (state) => {
      const { Instances = [] } = await group();
      return Instances.filter(({ LifecycleState }) => state === undefined || LifecycleState === state).map(
        ({ InstanceId = '' }) => InstanceId,
      );
    },
    activities: async () => {
      const { Activities = [] } = await client.send(
        new DescribeScalingActivitiesCommand({ AutoScalingGroupName: 'pool', IncludeDeletedGroups: true }),
      );
      return Activities;
    },
    instance: async (id) => {
      const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
      return Reservations?.[0]?.Instances?.[0] ?? {};
    },
    pass: async (milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += 500) {
        test.clock.advance(Math.min(500, milliseconds - passed));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
};

/** Creates new groups before each test of a file. */
export const useTestGroups = (settings: Parameters<typeof startTestAws>[0] = {}): TestGroups => {
  let groups: TestGroups;
  beforeEach(async () => {
    groups = await makeTestGroups(settings);
  });
  afterEach(async () => {
    groups.client.destroy();
    groups.ec2.destroy();
    groups.test.account.bus.close();
    await groups.test.aws.close();
  });
  return new Proxy({} as TestGroups, { get: (_, name: keyof TestGroups) => groups[name] });
};
