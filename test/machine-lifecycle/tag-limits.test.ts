/** Tags of a machine that EC2 refuses although those of each object are valid. */
import { expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const launch = () => makeInstanceSteps(world.dependencies).launchInstance(world.input, context);

const tags = (prefix: string, count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}-${index}`, 'x']));

const tagCluster = (additionalTags: Record<string, string>) =>
  world.dependencies.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, (cluster) => ({
    ...cluster,
    spec: { ...cluster.spec, additionalTags },
  }));

const tagMachine = (additionalTags: Record<string, string>) =>
  world.dependencies.objects.mutate(kinds.awsMachine, KEY, (machine) => ({
    ...machine,
    spec: { ...machine.spec, additionalTags },
  }));

it('reports the field if there are too many tags, and launches the machine once there are fewer', async () => {
  await tagMachine(tags('machine', 20));
  await tagCluster(tags('cluster', 40));
  await expect(launch()).rejects.toMatchObject({
    name: 'Refused',
    message: expect.stringContaining('spec.additionalTags of the AWSMachine and the AWSCluster: TagLimitExceeded'),
  });

  await tagCluster(tags('cluster', 10));
  await launch();
  expect(await world.liveInstances()).toHaveLength(1);
});

it('reports the field if EC2 refuses the key of a tag', async () => {
  await tagMachine({ ['k'.repeat(128)]: 'x' });
  await expect(launch()).rejects.toMatchObject({
    name: 'Refused',
    message: expect.stringContaining('spec.additionalTags of the AWSMachine and the AWSCluster: InvalidParameterValue'),
  });

  await tagMachine({ team: 'x' });
  await launch();
  expect(await world.liveInstances()).toHaveLength(1);
});
