/** A launch that was decided while its instance profile was permitted. */
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import type { Ec2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

const PROFILE = 'nodes.cluster-api-provider-aws.sigs.k8s.io';

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { spec: { iamInstanceProfile: PROFILE } },
);

const launch = (dependencies: ScopedInstanceDependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

const withoutProfiles = (): ScopedInstanceDependencies => ({ ...world.dependencies, instanceProfiles: [] });

/** A launch whose instance EC2 has created, and whose function crashed before the response. */
const loseAnswer = async (): Promise<void> => {
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  const run: Ec2Instances['run'] = async (input) => {
    await ec2.run(input);
    throw new Error('died');
  };
  await expect(launch({ ...world.dependencies, ec2: () => ({ ...ec2, run }) })).rejects.toThrow('died');
};

it('a recorded launch is not sent again with an instance profile that is no longer permitted', async () => {
  world.account.failNext('ec2', 'RunInstances', { code: 'VcpuLimitExceeded', message: 'No more vCPUs.', times: 1 });
  await expect(launch()).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
  world.clock.advance(3600);
  await expect(launch(withoutProfiles())).rejects.toMatchObject({
    name: 'Refused',
    message: expect.stringContaining(`spec.iamInstanceProfile: instance profile ${PROFILE} is not permitted`),
  });
  world.clock.advance(60);
  expect(await world.liveInstances()).toEqual([]);

  await launch();
  world.clock.advance(60);
  expect(await world.liveInstances()).toHaveLength(1);
});

it('a recorded launch finds its instance even if the instance profile is no longer permitted', async () => {
  await loseAnswer();
  world.clock.advance(600);
  await launch(withoutProfiles());
  const machine = (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
  expect(await world.liveInstances()).toEqual([machine.spec.instanceID]);
});
