/** A request to store bootstrap data that AWS carries out minutes after the run that sent it has ended. */
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteBootstrapRemains } from '../../functions/providers/aws/bootstrap-remains.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { readAwsMachine } from '../../functions/providers/aws/read-machine.ts';
import { type AWSCluster, kinds, type Secret } from '../../shared/kinds/index.ts';
import { context, forEachTest } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;

forEachTest((next) => {
  world = next;
});

const DELAY_SECONDS = 240;

/** Dependencies with a first request that is not answered, and is carried out after the delay. */
const withLateRequest = (): ScopedInstanceDependencies & { arrive: () => Promise<void> } => {
  const { bootstrapSecrets, bootstrapObjects } = world.dependencies.stores({} as never);
  let late: { request: () => Promise<void>; at: number } | undefined;
  let hasArrived = false;
  const delayed =
    <T>(store: (data: T) => Promise<void>) =>
    async (data: T): Promise<void> => {
      if (late) return store(data);
      late = { request: () => store(data), at: world.clock.now().getTime() + DELAY_SECONDS * 1000 };
      throw new Error('the function has ended');
    };
  const arrive = async () => {
    if (!late || hasArrived || world.clock.now().getTime() < late.at) return;
    hasArrived = true;
    await late.request();
  };
  const stores = {
    bootstrapSecrets: { ...bootstrapSecrets, create: delayed(bootstrapSecrets.create) },
    bootstrapObjects: { ...bootstrapObjects, put: delayed(bootstrapObjects.put) },
  };
  return { ...world.dependencies, stores: () => stores, arrive };
};

/** Has the machine fetch its data as an Ignition config from a bucket. */
const useBucket = async (): Promise<void> => {
  const place = { namespace: 'default' };
  const s3Bucket = { name: 'bucket', controlPlaneIAMInstanceProfile: 'cp', nodesIAMInstanceProfiles: ['nodes'] };
  await world.stored.mutate(
    kinds.awsCluster,
    { ...place, name: 'red' },
    (current): AWSCluster => ({
      ...current,
      spec: { ...current.spec, s3Bucket },
    }),
  );
  const data = { value: Buffer.from('{}').toString('base64'), format: Buffer.from('ignition').toString('base64') };
  await world.stored.mutate(kinds.secret, { ...place, name: 'm-1' }, (current): Secret => ({ ...current, data }));
};

const kept = (): string[] => [...world.secrets.keys(), ...world.bucket.keys()];

const launch = (dependencies: ScopedInstanceDependencies) =>
  makeInstanceSteps(dependencies).launchInstance(world.input, context);

/** Deletes the bootstrap data, as when the machine's node has joined. */
const join = async (dependencies: ScopedInstanceDependencies): Promise<void> => {
  const snapshot = await readAwsMachine(dependencies.objects, world.input.machine);
  if (!snapshot) throw new Error('no machine');
  const stores = dependencies.stores({} as never);
  await deleteBootstrapRemains({ ...dependencies, ...stores, component: 'machine-objects' }, snapshot);
};

/** The number of seconds until the machine is removed. */
const remove = async (dependencies: ScopedInstanceDependencies & { arrive: () => Promise<void> }): Promise<number> => {
  const start = world.clock.now().getTime();
  for (let look = 0; look < 300; look += 1) {
    await dependencies.arrive();
    const { progress, waitSeconds } = await makeInstanceSteps(dependencies).terminateInstance(world.input, context);
    if (progress === 'done') return (world.clock.now().getTime() - start) / 1000;
    world.clock.advance(Math.max(1, waitSeconds));
  }
  throw new Error('the machine was never removed');
};

const leftData = async (dependencies: { arrive: () => Promise<void> }): Promise<string[]> => {
  world.clock.advance(DELAY_SECONDS);
  await dependencies.arrive();
  return kept();
};

describe.each([
  ['secret', async () => {}],
  ['object', useBucket],
])('bootstrap data (%s) that is stored late', (_, prepare) => {
  beforeEach(() => prepare());

  it('after the machine has joined, is deleted with the machine', async () => {
    const late = withLateRequest();
    await expect(launch(late)).rejects.toThrow('has ended');
    await launch(late);
    await join(late);
    expect(kept()).toEqual([]);
    world.clock.advance(1000);
    await late.arrive();
    expect(kept()).toHaveLength(1);

    expect(await remove(late)).toBeLessThan(100);
    expect(await leftData(late)).toEqual([]);
  });

  it.each([
    { what: 'was not launched again', again: false },
    { what: 'was launched again', again: true },
  ])('during the removal of a machine that $what, is deleted', async ({ again }) => {
    const late = withLateRequest();
    await expect(launch(late)).rejects.toThrow('has ended');
    if (again) await launch(late);

    expect(await remove(late)).toBeGreaterThan(DELAY_SECONDS);
    expect(await leftData(late)).toEqual([]);
  });

  it('does not delay a removal if the request was answered', async () => {
    await launch(world.dependencies);
    await launch(world.dependencies);
    const machine = { ...world.dependencies, arrive: async () => {} };
    expect(await remove(machine)).toBeLessThan(100);
    expect(kept()).toEqual([]);
  });
});
