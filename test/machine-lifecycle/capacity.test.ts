import { describe, expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { isAwsWrite, isObjectWrite, KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { zones: 2 },
);

const launch = (dependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);
const awsMachine = async () => (await world.dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
const gap = (instanceType: string) => void world.account.settings.capacityGaps.push({ instanceType });
const allow = (types: string) =>
  world.dependencies.objects.mutate(kinds.awsMachine, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { 'windlass.dev/instance-types': types } },
  }));
const eventsOf = async (reason: string) =>
  (await world.dependencies.objects.list(kinds.event)).filter((event) => event.reason === reason);

describe('a machine for which EC2 has no capacity', () => {
  it('is launched in another zone, with exactly one instance', async () => {
    const [cluster] = await world.dependencies.objects.list(kinds.awsCluster);
    for (const { availabilityZone = '' } of cluster?.spec.network?.subnets?.slice(0, 1) ?? [])
      world.account.settings.capacityGaps.push({ zone: availabilityZone });
    const [gap] = world.account.settings.capacityGaps;
    await launch();

    expect(gap?.zone).toBeDefined();
    expect((await awsMachine()).spec.providerID).not.toContain(`/${gap?.zone}/`);
    expect(await world.liveInstances()).toHaveLength(1);
  });

  it('is launched with the next type of its list, which an annotation and events report', async () => {
    gap('t3.large');
    await allow('m5.large, m6i.large');
    await launch();

    expect((await awsMachine()).metadata.annotations?.['windlass.dev/instance-type']).toBe('m5.large');
    const messages = (await eventsOf('CapacityFallback')).map(({ message }) => message ?? '');
    // Events of the same second have no order.
    expect(messages.sort((left) => (left.includes('trying t3') ? -1 : 1))).toEqual([
      expect.stringMatching(/^No t3\.large in \S+ \(InsufficientInstanceCapacity\), trying t3\.large in /),
      expect.stringMatching(/^No t3\.large in \S+ \(InsufficientInstanceCapacity\), trying m5\.large in /),
    ]);
    expect(await world.liveInstances()).toHaveLength(1);
  });

  it('reports all attempts, and is launched once there is capacity', async () => {
    gap('t3.large');
    await expect(launch()).rejects.toMatchObject({
      name: 'CapacityUnavailable',
      message: expect.stringMatching(/^spec\.instanceType: (t3\.large in \S+: InsufficientInstanceCapacity(; )?){2}: /),
    });
    await expect(launch()).rejects.toMatchObject({ name: 'CapacityUnavailable' });
    world.account.settings.capacityGaps.length = 0;
    await launch();
    expect(await world.liveInstances()).toHaveLength(1);
  });

  it('makes the next machine skip the type that was refused', async () => {
    gap('t3.large');
    await allow('m5.large');
    await launch();
    const asked: unknown[] = [];
    const ec2 = world.dependencies.ec2({} as never);
    const counting = {
      ...ec2,
      run: (input: { InstanceType?: string }) => {
        asked.push(input.InstanceType);
        return ec2.run(input as never);
      },
    };
    await world.dependencies.objects.mutate(
      kinds.awsMachine,
      KEY,
      ({ spec: { instanceID: _id, providerID: _provider, ...spec }, ...rest }) =>
        ({
          ...rest,
          metadata: { ...rest.metadata, annotations: { 'windlass.dev/instance-types': 'm5.large' } },
          spec,
        }) as AWSMachine,
    );
    await launch({ ...world.dependencies, ec2: () => counting });
    expect(asked).toEqual(['m5.large']);
  });

  it.each([2, 3, 4, 5, 6].map((at) => ({ at, when: 'after' as const })))(
    'has one instance if the run dies $when write $at and runs again',
    async ({ at, when }) => {
      gap('t3.large');
      await allow('m5.large');
      const executioner = makeExecutioner(at, when);
      const { dependencies } = world;
      const ec2 = executioner.guard(dependencies.ec2({} as never), (method) => isAwsWrite(method) && method === 'run');
      const objects = executioner.guard(dependencies.objects, isObjectWrite);
      await launch({ ...dependencies, objects, ec2: () => ec2 }).catch((error: unknown) => {
        if (!(error instanceof KilledError)) throw error;
      });
      await launch();
      expect(await world.liveInstances()).toHaveLength(1);
    },
  );
});
