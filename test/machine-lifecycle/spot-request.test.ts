/** The tags of a request on the spot market in a launch; EC2 sets them only if the caller may tag it. */
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import type { Ec2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { spec: { spotMarketOptions: {}, additionalTags: { 'cost-center': '7' } } },
);

/** Launches; returns the tags of the spot request in each call. */
const launch = async (): Promise<(Record<string, string | undefined> | undefined)[]> => {
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  const asked: (Record<string, string | undefined> | undefined)[] = [];
  const run: Ec2Instances['run'] = (input) => {
    const found = input.TagSpecifications?.find(({ ResourceType }) => ResourceType === 'spot-instances-request');
    asked.push(found && Object.fromEntries((found.Tags ?? []).map(({ Key = '', Value }) => [Key, Value])));
    return ec2.run(input);
  };
  const steps = makeInstanceSteps({ ...world.dependencies, ec2: () => ({ ...ec2, run }) });
  await steps.launchInstance(world.input, context);
  return asked;
};

const recorded = async () => (await world.dependencies.objects.get(kinds.awsMachine, KEY))?.spec.instanceID;

it('the tags of a spot request are those of the instance', async () => {
  const [tags, ...others] = await launch();

  expect(others).toEqual([]);
  expect(tags).toMatchObject({ 'cost-center': '7', 'windlass.dev/machine-uid': world.input.machine.uid });
});

it('the tags of a spot request are omitted if the role may not set them, and the instance keeps its own', async () => {
  world.account.failNext('ec2', 'RunInstances', { code: 'UnauthorizedOperation', status: 403 });
  const [first, second, ...others] = await launch();

  expect([first?.['cost-center'], second, others]).toEqual(['7', undefined, []]);
  const [id = ''] = await world.liveInstances();
  expect(id).toBe(await recorded());
  expect(world.account.ec2().instances.get(id).tags.get('cost-center')).toBe('7');
});
