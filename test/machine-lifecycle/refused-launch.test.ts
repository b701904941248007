/** A launch that EC2 refuses: whether the machine may have an instance depends on the requests that were sent before. */
import { EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { createEc2Instances, type Ec2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { readRecordedLaunch } from '../../shared/providers/aws/plan/launch/recorded.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { zones: 2 },
);

const launch = (dependencies: ScopedInstanceDependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);
const awsMachine = async () => (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
const recorded = async () => readRecordedLaunch(await awsMachine());
const port = async () => world.dependencies.ec2(await controllerScopeOf(undefined));
const withPort = (ec2: Ec2Instances): ScopedInstanceDependencies => ({ ...world.dependencies, ec2: () => ec2 });

const lose = (when: 'before' | 'after'): void =>
  world.account.failNext('ec2', 'RunInstances', { code: 'InternalError', status: 500, when });
const refuse = (code: string): void =>
  world.account.failNext('ec2', 'RunInstances', { code, message: `${code}.`, status: 403 });

/** EC2 launches an instance, and its answer is lost. */
const loseAnswer = async (when: 'before' | 'after' = 'after'): Promise<void> => {
  lose(when);
  await expect(launch()).rejects.toMatchObject({ name: 'InternalError' });
};

/** Calls of EC2 that show no instance for this time, in seconds. */
const blindFor = async (seconds: number): Promise<ScopedInstanceDependencies> => {
  const ec2 = await port();
  const end = world.clock.now().getTime() + seconds * 1000;
  const isBlind = () => world.clock.now().getTime() < end;
  return withPort({
    ...ec2,
    describe: async (id) => (isBlind() ? undefined : ec2.describe(id)),
    findByTag: async (key, value) => (isBlind() ? [] : ec2.findByTag(key, value)),
  });
};

/** The time in seconds until the machine is removed. */
const remove = async (dependencies: ScopedInstanceDependencies = world.dependencies): Promise<number> => {
  const { terminateInstance } = makeInstanceSteps(dependencies);
  const start = world.clock.now().getTime();
  for (let look = 0; look < 300; look += 1) {
    const { progress, waitSeconds } = await terminateInstance(world.input, context);
    if (progress === 'done') return (world.clock.now().getTime() - start) / 1000;
    world.clock.advance(waitSeconds);
  }
  throw new Error('it was never removed');
};

describe('a repeated launch that is refused', () => {
  it.each([
    'UnauthorizedOperation',
    'AuthFailure',
    'ExpiredToken',
    'OptInRequired',
    'InvalidAMIID.NotFound',
    'InvalidKeyPair.NotFound',
    'InvalidParameterValue',
    'InvalidGroup.NotFound',
    'VcpuLimitExceeded',
    'InsufficientInstanceCapacity',
    'MaxSpotInstanceCountExceeded',
  ])('finds the instance of the first one (%s)', async (code) => {
    await loseAnswer();
    world.clock.advance(60);
    refuse(code);
    await launch();
    expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
  });

  it('is reported, and stays recorded until the instance of the first one would be visible', async () => {
    await loseAnswer();
    const dependencies = await blindFor(200);
    for (const seconds of [20, 60, 60]) {
      world.clock.advance(seconds);
      refuse('InvalidAMIID.NotFound');
      await expect(launch(dependencies)).rejects.toMatchObject({
        name: 'Refused',
        message: expect.stringMatching(/InvalidAMIID\.NotFound/),
      });
    }
    world.clock.advance(100);
    refuse('InvalidAMIID.NotFound');
    await launch(dependencies);
    expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
  });

  it('is decided again if the first one has launched nothing, however often it is refused', async () => {
    await loseAnswer('before');
    for (const attempt of [undefined, undefined, 1]) {
      world.clock.advance(110);
      refuse('UnauthorizedOperation');
      await expect(launch()).rejects.toMatchObject({ name: 'UnauthorizedOperation' });
      expect((await recorded())?.attempt).toBe(attempt);
    }
    await launch();
    expect(await world.liveInstances()).toHaveLength(1);
  });

  it('waits again for the instance of each request whose answer is lost', async () => {
    await loseAnswer('before');
    world.clock.advance(280);
    const dependencies = await blindFor(100);
    await loseAnswer();
    world.clock.advance(40);
    refuse('UnauthorizedOperation');
    await expect(launch(dependencies)).rejects.toMatchObject({ name: 'UnauthorizedOperation' });
    world.clock.advance(60);
    await launch(dependencies);
    expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
  });

  it('is the second attempt of the same call, too', async () => {
    lose('after');
    const retrying = new EC2Client(world.connection);
    retrying.middlewareStack.add(
      (next) => async (given) => next(given).finally(() => refuse('UnauthorizedOperation')),
      { step: 'deserialize' },
    );
    const dependencies = withPort({ ...(await port()), run: createEc2Instances(retrying, retrying).run });
    const blind = withPort({ ...dependencies.ec2({} as never), findByTag: async () => [] });
    await expect(launch(blind)).rejects.toMatchObject({ name: 'UnauthorizedOperation', $metadata: { attempts: 2 } });
    await launch(dependencies);
    expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
  });

  it('counts the time since it was last sent, if something that it names is gone after hours', async () => {
    refuse('VcpuLimitExceeded');
    await expect(launch()).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
    world.clock.advance(3600);
    const dependencies = await blindFor(60);
    await loseAnswer();
    refuse('InvalidGroup.NotFound');
    await expect(launch(dependencies)).rejects.toMatchObject({ name: 'InvalidGroup.NotFound' });
    world.clock.advance(60);
    await launch(dependencies);
    expect(await world.liveInstances()).toEqual([(await awsMachine()).spec.instanceID]);
  });
});

describe('a first launch that is refused', () => {
  it('is reported and forgotten at once, without another call', async () => {
    const ec2 = await port();
    const looks: string[] = [];
    const counting = {
      ...ec2,
      findByTag: async (key: string, value: string) => {
        looks.push(key);
        return ec2.findByTag(key, value);
      },
    };
    refuse('InvalidAMIID.NotFound');
    await expect(launch(withPort(counting))).rejects.toMatchObject({ name: 'Refused' });
    expect(await recorded()).toMatchObject({ attempt: 1 });
    expect((await recorded())?.request).toBeUndefined();
    expect(looks).toEqual([]);
  });

  it('is forgotten at once even after a quota was used up for a while', async () => {
    for (const seconds of [10, 60, 3600]) {
      refuse('VcpuLimitExceeded');
      await expect(launch()).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
      world.clock.advance(seconds);
    }
    refuse('UnauthorizedOperation');
    await expect(launch()).rejects.toMatchObject({ name: 'UnauthorizedOperation' });
    expect(await recorded()).toMatchObject({ attempt: 1 });
  });
});

describe('the removal of a machine', () => {
  it('waits for an instance whose launch was not answered as long as EC2 may take to show it', async () => {
    await loseAnswer();
    const took = await remove(await blindFor(120));
    expect(took).toBeGreaterThanOrEqual(120);
    expect(await world.liveInstances()).toEqual([]);
  });

  it('says what it waits for', async () => {
    await loseAnswer('before');
    const { objects } = world.dependencies;
    await objects.delete(kinds.machine, (await objects.get(kinds.machine, KEY)) as Machine);
    await makeInstanceSteps(world.dependencies).terminateInstance(world.input, context);
    const machine = await objects.get(kinds.machine, KEY);
    const deleting = machine?.status?.conditions?.find(({ type }) => type === 'Deleting');
    expect(deleting?.message).toMatch(/EC2 may not show yet/);
  });

  it.each(['InvalidAMIID.NotFound', 'UnauthorizedOperation', 'VcpuLimitExceeded', 'InsufficientInstanceCapacity'])(
    'waits for nothing if EC2 has answered every request (%s)',
    async (code) => {
      world.account.failNext('ec2', 'RunInstances', { code, message: `${code}.`, status: 403, times: 10 });
      await launch().catch(() => {});
      await launch().catch(() => {});
      expect(await remove()).toBeLessThan(1);
    },
  );
});
