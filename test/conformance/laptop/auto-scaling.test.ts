/** Tests launch templates, Auto Scaling groups and their machines with the AWS CLI, as in any account. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { aws as runAws } from './aws-cli.ts';

const GROUP = ['--auto-scaling-group-name', 'pool'];
let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const aws = <T = unknown>(...args: string[]): Promise<T> => runAws<T>(laptop, ...args);
const groups = <T = unknown>(operation: string, ...args: string[]) =>
  aws<T>('autoscaling', operation, ...GROUP, ...args);

interface Instance {
  InstanceId: string;
  LifecycleState: string;
  AvailabilityZone: string;
  LaunchTemplate: { Version: string };
}

const instances = async (state?: string): Promise<Instance[]> => {
  const args = ['--auto-scaling-group-names', 'pool'];
  const answer = await aws<{ AutoScalingGroups: { Instances: Instance[] }[] }>(
    ...['autoscaling', 'describe-auto-scaling-groups', ...args],
  );
  const all = answer.AutoScalingGroups[0]?.Instances ?? [];
  return all.filter(({ LifecycleState }) => state === undefined || LifecycleState === state);
};
const hasInService = (count: number) =>
  laptop.until(`${count} instances in service`, async () => {
    const all = await instances();
    return all.length === count && all.every(({ LifecycleState }) => LifecycleState === 'InService');
  });

const consoleOf = async (id: string): Promise<string> =>
  (await aws<{ Output?: string }>('ec2', 'get-console-output', '--latest', '--instance-id', id)).Output ?? '';
const says = (id: string, text: string) =>
  laptop.until(`"${text}" on the console of ${id}`, async () => (await consoleOf(id)).includes(text));

const dataOf = async (script: string): Promise<string> => {
  const { Images } = await aws<{ Images: { ImageId: string }[] }>(
    ...['ec2', 'describe-images', '--filters', 'Name=name,Values=capa-ami-ubuntu-24.04-?1.34.0-*'],
    'Name=architecture,Values=x86_64',
  );
  const UserData = Buffer.from(`#cloud-config\nruncmd: [${script}]\n`).toString('base64');
  return JSON.stringify({ ImageId: Images[0]?.ImageId, InstanceType: 't3.large', UserData });
};

it(
  'a group launches machines that run the user data of the template',
  async () => {
    const template = ['--launch-template-name', 'workers'];
    await aws('ec2', 'create-launch-template', ...template, '--launch-template-data', await dataOf('first-version'));
    const { Subnets } = await aws<{ Subnets: { SubnetId: string }[] }>('ec2', 'describe-subnets');
    const subnets = Subnets.slice(0, 2).map(({ SubnetId }) => SubnetId);
    const source = ['--launch-template', 'LaunchTemplateName=workers,Version=$Latest'];
    const sizes = ['--min-size', '0', '--max-size', '4', '--desired-capacity', '2'];
    await groups('create-auto-scaling-group', ...source, ...sizes, '--vpc-zone-identifier', subnets.join(','));
    await hasInService(2);
    const [first, second] = await instances();
    expect(first?.AvailabilityZone).not.toBe(second?.AvailabilityZone);
    await says(first?.InstanceId ?? '', 'first-version');
    await says(second?.InstanceId ?? '', 'first-version');
  },
  LIMIT,
);

it(
  'a group replaces its machines by an instance refresh after the template has a new version',
  async () => {
    const data = ['--launch-template-data', await dataOf('second-version')];
    await aws('ec2', 'create-launch-template-version', '--launch-template-name', 'workers', ...data);
    await groups('start-instance-refresh', '--preferences', 'MinHealthyPercentage=50,InstanceWarmup=1');
    await laptop.until('the end of the refresh', async () => {
      const { InstanceRefreshes } = await groups<{ InstanceRefreshes: { Status: string }[] }>(
        'describe-instance-refreshes',
      );
      return InstanceRefreshes[0]?.Status === 'Successful';
    });
    const replaced = await instances('InService');
    expect(replaced.map(({ LaunchTemplate }) => LaunchTemplate.Version)).toEqual(['2', '2']);
    await says(replaced[0]?.InstanceId ?? '', 'second-version');
  },
  LIMIT,
);

it(
  'a group pauses an instance with a lifecycle hook until the action is completed',
  async () => {
    const hook = ['--lifecycle-hook-name', 'drain'];
    const transition = ['--lifecycle-transition', 'autoscaling:EC2_INSTANCE_TERMINATING'];
    await groups('put-lifecycle-hook', ...hook, ...transition, '--heartbeat-timeout', '600');
    await groups('set-desired-capacity', '--desired-capacity', '1');
    await laptop.until('an instance that waits', async () => (await instances('Terminating:Wait')).length === 1);
    const [waiting] = await instances('Terminating:Wait');
    await groups(
      ...(['complete-lifecycle-action', ...hook, '--lifecycle-action-result', 'CONTINUE'] as const),
      ...['--instance-id', waiting?.InstanceId ?? ''],
    );
    await hasInService(1);
    await groups('delete-lifecycle-hook', ...hook);
  },
  LIMIT,
);

it(
  'a group prepares stopped instances in a warm pool',
  async () => {
    await groups('put-warm-pool', '--min-size', '1', '--max-group-prepared-capacity', '2');
    await laptop.until('a stopped instance', async () => {
      const { Instances } = await groups<{ Instances: Instance[] }>('describe-warm-pool');
      return Instances.length === 1 && Instances[0]?.LifecycleState === 'Warmed:Stopped';
    });
    await groups('set-desired-capacity', '--desired-capacity', '2');
    await hasInService(2);
    await groups('delete-warm-pool', '--force-delete');
  },
  LIMIT,
);

it(
  'a group reports why a launch failed, and launches when there is capacity again',
  async () => {
    laptop.account.settings.capacityGaps = [{ instanceType: 't3.large' }];
    await groups('set-desired-capacity', '--desired-capacity', '3');
    const { Activities } = await groups<{ Activities: { StatusCode: string; StatusMessage: string }[] }>(
      ...(['describe-scaling-activities', '--max-items', '1'] as const),
    );
    expect(Activities[0]).toMatchObject({
      StatusCode: 'Failed',
      StatusMessage: expect.stringContaining('We currently do not have sufficient t3.large capacity'),
    });
    laptop.account.settings.capacityGaps = [];
    await hasInService(3);
  },
  LIMIT,
);

it(
  'a group that is in use is deleted only by force',
  async () => {
    await expect(groups('delete-auto-scaling-group')).rejects.toThrow('(ResourceInUse)');
    const before = await instances();
    await groups('delete-auto-scaling-group', '--force-delete');
    await laptop.until('no group', async () => {
      const { AutoScalingGroups } = await aws<{ AutoScalingGroups: unknown[] }>(
        ...['autoscaling', 'describe-auto-scaling-groups'],
      );
      return AutoScalingGroups.length === 0;
    });
    const { Reservations } = await aws<{ Reservations: { Instances: { State: { Name: string } }[] }[] }>(
      ...['ec2', 'describe-instances', '--instance-ids', ...before.map(({ InstanceId }) => InstanceId)],
    );
    const states = Reservations.flatMap((one) => one.Instances.map(({ State }) => State.Name));
    expect(new Set(states)).toEqual(new Set(['terminated']));
  },
  LIMIT,
);
