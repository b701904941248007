import { afterEach, describe, expect, it } from 'vitest';
import { type AWSCluster, type Event, kinds } from '../../shared/kinds/index.ts';
import { isBastionLeft } from '../../shared/providers/aws/network/bastion/hidden.ts';
import { readBastionLaunch } from '../../shared/providers/aws/network/bastion/launch.ts';
import { KilledError, makeExecutioner } from './faults.ts';
import { inventory, NOTHING } from './inventory.ts';
import { askForDeletion, create, createInfrastructure, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const ONE_ZONE = { sshKeyName: '', network: { vpc: { availabilityZoneUsageLimit: 1 } } };

const start = async (bastion: AWSCluster['spec']['bastion'] = { enabled: true }) => {
  world = await startWorld({ ...ONE_ZONE, bastion });
};

const LIVE = ['pending', 'running', 'stopping', 'stopped'];
const bastions = () => world.ec2.describeBastions([{ name: 'instance-state-name', values: LIVE }]);

const condition = async () =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'BastionHostReady');

const setEnabled = (enabled: boolean) =>
  world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, bastion: { ...current.spec.bastion, enabled } },
  }));

const rulesOf = async (role: string) => {
  const groups = (await world.awsCluster()).status?.networkStatus?.securityGroups ?? {};
  const id = groups[role as keyof typeof groups]?.id ?? '';
  const [group] = await world.ec2.describeSecurityGroups([{ name: 'group-id', values: [id] }]);
  const ssh = group?.ingress.filter(({ fromPort }) => fromPort === 22) ?? [];
  return ssh.map(({ source }) => Object.entries(groups).find(([, one]) => one?.id === source)?.[0] ?? source);
};

describe('a bastion', () => {
  it('is created once in a public subnet, with an address, and is recorded', async () => {
    await start({ enabled: true, allowedCIDRBlocks: ['203.0.113.0/24'] });

    const isReady = await create(world);
    world.clock.advance(60);
    await create(world);

    const [bastion, ...others] = await bastions();
    const { spec, status } = await world.awsCluster();
    const home = spec.network?.subnets?.find(({ isPublic }) => isPublic);
    expect(isReady).toBe(true);
    expect(others).toEqual([]);
    expect(bastion?.tags).toMatchObject({
      Name: 'red-bastion',
      'sigs.k8s.io/cluster-api-provider-aws/role': 'bastion',
      'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned',
    });
    expect(status?.bastion).toMatchObject({
      id: bastion?.id,
      instanceState: 'running',
      type: 't2.micro',
      subnetId: home?.resourceID,
      publicIp: bastion?.publicIp,
      securityGroupIds: [status?.networkStatus?.securityGroups?.bastion?.id],
    });
    expect(await condition()).toMatchObject({ status: 'True' });
    expect(await rulesOf('bastion')).toEqual(['203.0.113.0/24']);
    expect([await rulesOf('controlplane'), await rulesOf('node')]).toEqual([['bastion'], ['bastion']]);
  });

  it('is deleted with its rules when it is disabled, and recreated when it is enabled', async () => {
    await start();
    await create(world);
    const [first] = await bastions();

    await setEnabled(false);
    await create(world);
    const without = [await bastions(), (await world.awsCluster()).status?.bastion, await condition()];
    const ways = await rulesOf('node');
    await setEnabled(true);
    await create(world);

    expect(without).toEqual([[], undefined, undefined]);
    expect(ways).toEqual([]);
    const [second] = await bastions();
    expect(second?.id).toMatch(/^i-/);
    expect(second?.id).not.toBe(first?.id);
  });

  it('is recreated after its instance was terminated', async () => {
    await start();
    await create(world);
    const [first] = await bastions();

    await world.ec2.terminateBastion(first?.id ?? '');
    world.clock.advance(120);
    await create(world);
    await create(world);

    const there = await bastions();
    expect(there.map(({ id }) => id)).not.toContain(first?.id);
    expect(there).toHaveLength(1);
  });

  it('admits no address from outside if its rules are disabled', async () => {
    await start({ enabled: true, disableIngressRules: true });
    await create(world);
    expect(await rulesOf('bastion')).toEqual([]);
  });

  it('that cannot be created is reported, and blocks nothing else', async () => {
    await start({ enabled: true, ami: 'ami-00000000000000000' });

    expect(await create(world)).toBe(true);

    expect(await condition()).toMatchObject({ status: 'False', severity: 'Error', reason: 'BastionHostFailed' });
    expect((await condition())?.message).toContain('InvalidAMIID.NotFound');
  });

  const failLaunches = (code: string, status: number) =>
    world.account.failNext('ec2', 'RunInstances', { code, message: 'Not now.', status, times: 1 });

  const setType = (instanceType: string) =>
    world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: { ...current.spec, bastion: { ...current.spec.bastion, instanceType } },
    }));

  it.each([
    ['InsufficientInstanceCapacity', 500],
    ['InsufficientInstanceCapacity', 400],
    ['Unsupported', 400],
    ['VcpuLimitExceeded', 400],
    ['PendingVerification', 400],
  ])(
    'that EC2 does not launch (%s, %d) blocks nothing else, and is launched as a changed spec says',
    async (...error) => {
      await start();
      failLaunches(...error);

      expect(await create(world)).toBe(true);

      const message = expect.stringContaining(`${error[0]}: Not now.`);
      expect(await condition()).toMatchObject({ status: 'False', reason: 'BastionHostFailed', message });
      const events = await world.objects.list<Event>(kinds.event);
      expect(events).toContainEqual(expect.objectContaining({ reason: 'FailedCreateBastion', message }));

      await setType('t3.small');
      await create(world);
      expect((await world.awsCluster()).status?.bastion?.type).toBe('t3.small');
      expect(await bastions()).toHaveLength(1);
      expect(await condition()).toMatchObject({ status: 'True' });
    },
  );

  it('whose recorded request names something that was deleted since blocks nothing else, and is requested again', async () => {
    await start();
    const code = 'InvalidGroup.NotFound';
    world.account.failNext('ec2', 'RunInstances', { code, message: 'gone', times: 100 });
    // The group may be so new that EC2 does not show it everywhere.
    await expect(createInfrastructure(world)).rejects.toThrow('gone');

    world.clock.advance(600);
    expect(await create(world)).toBe(true);
    expect(await condition()).toMatchObject({
      ...{ status: 'False', reason: 'BastionHostFailed' },
      message: expect.stringContaining(code),
    });
    expect(readBastionLaunch(await world.awsCluster())).toBeUndefined();
  });

  it('whose launch was not answered is not launched again when AWS refuses the repetition', async () => {
    await start();
    await create(world);
    await world.ec2.terminateBastion((await bastions())[0]?.id ?? '');
    world.clock.advance(120);
    // Discards the token of the terminated instance.
    await create(world);
    const { settings } = world.account;
    settings.consistencyMilliseconds = 240_000;
    const live = () =>
      world.account
        .ec2()
        .instances.all()
        .filter(({ timeline }) => timeline.at(-1)?.state === 'running');
    for (let effect = 1; live().length === 0; effect += 1)
      await expect(create(world, makeExecutioner(effect, 'after'))).rejects.toThrow(KilledError);

    failLaunches('UnauthorizedOperation', 403);
    await create(world);
    expect(await condition()).toMatchObject({ reason: 'BastionHostFailed' });
    await create(world);

    expect(live()).toHaveLength(1);
    expect(await condition()).toMatchObject({ status: 'True' });
  });

  it('that AWS refuses to terminate is reported, blocks nothing else, and is terminated later', async () => {
    await start();
    await create(world);
    await setEnabled(false);
    const error = { code: 'OperationNotPermitted', message: 'It is protected.', status: 400, times: 1 };
    world.account.failNext('ec2', 'TerminateInstances', error);

    expect(await create(world)).toBe(true);
    const message = expect.stringMatching(/^Bastion instance i-\w+ cannot be terminated: .*It is protected/);
    expect(await condition()).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'DeletingFailed',
      message,
    });
    const events = await world.objects.list<Event>(kinds.event);
    expect(events).toContainEqual(expect.objectContaining({ reason: 'FailedTerminateBastion', message }));
    expect(await bastions()).toHaveLength(1);

    await create(world);
    expect([await bastions(), await condition()]).toEqual([[], undefined]);
  });

  it('that is disabled before EC2 shows it is deleted once it is visible', async () => {
    await start();
    await create(world);
    await world.ec2.terminateBastion((await bastions())[0]?.id ?? '');
    world.clock.advance(120);
    // Discards the token of the terminated instance.
    await create(world);
    world.account.settings.consistencyMilliseconds = 60_000;
    await create(world);
    expect((await world.awsCluster()).status?.bastion?.id).toMatch(/^i-/);

    await setEnabled(false);
    await create(world);
    expect(await bastions()).toEqual([]);
    expect(isBastionLeft(await world.awsCluster(), world.clock.now())).toBe(false);
    world.clock.advance(301);
    expect(await bastions()).toHaveLength(1);
    expect(isBastionLeft(await world.awsCluster(), world.clock.now())).toBe(true);
    await create(world);

    expect(await bastions()).toEqual([]);
    expect(readBastionLaunch(await world.awsCluster())).toBeUndefined();
    expect(isBastionLeft(await world.awsCluster(), world.clock.now())).toBe(false);
  });

  it('is created once, and deleted with the cluster, when a run dies around its launch', async () => {
    await start();
    const counter = makeExecutioner(Number.POSITIVE_INFINITY, 'after');
    await create(world, counter);

    // The last effects of a run are the decision, the launch, its event and its record.
    for (const left of [4, 2, 1]) {
      await world.close();
      await start();
      const executioner = makeExecutioner(counter.count - left, 'after');
      await expect(create(world, executioner)).rejects.toThrow(KilledError);
      await create(world);
      expect(await bastions()).toHaveLength(1);
    }

    await askForDeletion(world);
    await remove(world);
    expect(await bastions()).toEqual([]);
    expect(await inventory(world)).toEqual(NOTHING);
  });
});
