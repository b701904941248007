/** A launch that is repeated with other user data than before, because it contains the bootstrap data itself. */
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { kinds } from '../../shared/kinds/index.ts';
import type { Ec2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { spec: { cloudInit: { insecureSkipSecretsManager: true } } },
);

const launch = (dependencies: ScopedInstanceDependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

/**
 * EC2 creates the instance, and the function crashes before the response. When the launch is repeated, the data has
 * changed.
 */
const loseAnswer = async (): Promise<void> => {
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  const run: Ec2Instances['run'] = async (input) => {
    await ec2.run(input);
    throw new Error('died');
  };
  await expect(launch({ ...world.dependencies, ec2: () => ({ ...ec2, run }) })).rejects.toThrow('died');
  const value = Buffer.from('#cloud-config\nhostname: other\n').toString('base64');
  await world.dependencies.objects.mutate(kinds.secret, KEY, (current) => ({ ...current, data: { value } }));
};

const recorded = async () => (await world.dependencies.objects.get(kinds.awsMachine, KEY))?.spec.instanceID;

describe('a launch with other user data', () => {
  beforeEach(() => {
    world.account.settings.consistencyMilliseconds = 30_000;
  });

  it('finds the instance of the first launch as soon as EC2 shows it', async () => {
    await loseAnswer();

    await expect(launch()).rejects.toMatchObject({ name: 'Transient', message: expect.stringMatching(/not show it/) });
    world.clock.advance(60);
    await launch();

    expect(await world.liveInstances()).toEqual([await recorded()]);
  });

  it('creates another instance if the first one ended so long ago that EC2 no longer shows it', async () => {
    await loseAnswer();
    world.clock.advance(60);
    const InstanceIds = await world.liveInstances();
    await world.client.send(new TerminateInstancesCommand({ InstanceIds }));
    world.clock.advance(3 * 60 * 60);

    // Until EC2 would show an instance that was launched just before the first answer, no other one is launched.
    for (const seconds of [0, 10, 280]) {
      world.clock.advance(seconds);
      await expect(launch()).rejects.toMatchObject({
        name: 'Transient',
        message: expect.stringMatching(/not show it/),
      });
      expect(await world.liveInstances()).toEqual([]);
    }
    world.clock.advance(60);
    await expect(launch()).rejects.toMatchObject({ message: expect.stringMatching(/another one is launched$/) });
    await launch();
    world.clock.advance(60);
    expect(await world.liveInstances()).toEqual([await recorded()]);
  });

  it('waits again if EC2’s last description is older than the lifetime of a client token', async () => {
    await loseAnswer();
    world.clock.advance(60);
    await world.client.send(new TerminateInstancesCommand({ InstanceIds: await world.liveInstances() }));
    world.clock.advance(3 * 60 * 60);
    await expect(launch()).rejects.toMatchObject({ message: expect.stringMatching(/not show it/) });
    world.clock.advance(13 * 60 * 60);

    await expect(launch()).rejects.toMatchObject({ message: expect.stringMatching(/not show it/) });
    world.clock.advance(400);
    await expect(launch()).rejects.toMatchObject({ message: expect.stringMatching(/another one is launched$/) });
  });

  it('creates another instance if the first one was terminated', async () => {
    await loseAnswer();
    world.clock.advance(60);
    const InstanceIds = await world.liveInstances();
    await world.client.send(new TerminateInstancesCommand({ InstanceIds }));
    world.clock.advance(60);

    const refusal = await launch().catch(translateAwsError);

    expect(refusal).toMatchObject({ name: 'Transient', message: expect.stringMatching(/another one is launched$/) });
    await launch();
    world.clock.advance(60);
    expect(await world.liveInstances()).toEqual([await recorded()]);
  });
});
