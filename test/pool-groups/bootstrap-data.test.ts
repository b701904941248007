import { afterEach, describe, expect, it } from 'vitest';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { readGroupMemory, withGroupMemory } from '../../shared/providers/aws/machine-pool/memory.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
afterEach(() => world?.close());

describe('bootstrap data', () => {
  const IGNITION = '{"ignition":{"version":"3.3.0"}}';

  it('in the format of Ignition is user data unless the pool requests a bucket', async () => {
    world = await startPoolWorld();
    await world.renewData(IGNITION, 'ignition');
    await world.settle();
    const [version] = await world.versions();
    expect(Buffer.from(version?.LaunchTemplateData?.UserData ?? '', 'base64').toString()).toBe(IGNITION);
  });

  it('in a bucket is one object, which always has the newest data and is deleted with the pool', async () => {
    world = await startPoolWorld({ ignition: { version: '3.3', storageType: 'ClusterObjectStore' } });
    await world.renewData(IGNITION, 'ignition');
    await world.settle();
    const newer = '{"ignition":{"version":"3.4.0"}}';
    await world.renewData(newer, 'ignition');
    await world.settle();
    const [[name, body] = []] = [...world.stored];
    expect([world.stored.size, body]).toEqual([1, newer]);
    const [version, ...others] = await world.versions();
    expect(others).toEqual([]);
    expect(Buffer.from(version?.LaunchTemplateData?.UserData ?? '', 'base64').toString()).toContain(`s3://${name}`);
    await world.remove();
    expect(world.stored.size).toBe(0);
  });

  const inBucket = { version: '3.3', storageType: 'ClusterObjectStore' };

  it.each([
    [
      'is user data',
      () => world.changeInfrastructure({ ignition: { ...inBucket, storageType: 'UnencryptedUserData' } }),
    ],
    ['is not for Ignition', () => world.changeInfrastructure({ ignition: undefined })],
    ['would have addresses that expire', () => world.changeBucket({ presignedURLDuration: '1h' })],
    ['has another bucket', () => world.changeBucket({ name: 'cluster-api-provider-aws-other' })],
    ['has no bucket', () => world.changeBucket(undefined)],
  ])('in a bucket is deleted with the pool even if it now %s', async (_, change) => {
    world = await startPoolWorld({ ignition: inBucket });
    await world.renewData(IGNITION, 'ignition');
    await world.settle();
    expect(world.stored.size).toBe(1);
    await change();
    await world.look();
    await world.remove();
    expect([...world.stored.keys()]).toEqual([]);
  });

  it('in a bucket is deleted with the pool if an earlier version has stored it', async () => {
    world = await startPoolWorld({ ignition: inBucket });
    await world.renewData(IGNITION, 'ignition');
    await world.settle();
    await world.objects.mutate(kinds.awsMachinePool, KEY, (current) =>
      withGroupMemory(current, { storedIn: undefined }),
    );
    await world.changeInfrastructure({ ignition: undefined });
    await world.remove();
    expect([...world.stored.keys()]).toEqual([]);
  });

  it('in a bucket is deleted with the pool if the request to store it is carried out minutes later', async () => {
    world = await startPoolWorld({ ignition: inBucket });
    await world.renewData(IGNITION, 'ignition');
    const { dependencies, stored } = world;
    const ports = dependencies.pools({} as never);
    const put = async () => {
      throw new Error('the function has ended');
    };
    const dying = { ...ports, bootstrapObjects: { ...ports.bootstrapObjects, put } };
    const steps = makePoolGroupSteps({ ...dependencies, pools: () => dying });
    await expect(steps.reconcilePool(world.input, { log: silentLog })).rejects.toThrow('has ended');
    const { storedIn: [place] = [] } = readGroupMemory(await world.infrastructure());
    await world.deletePool();
    expect((await world.steps.removePool(world.input, { log: silentLog })).progress).toBe('wait');

    await world.pass(240);
    stored.set(`${place?.bucket}/${place?.key}`, IGNITION);
    await world.remove();
    expect([...stored.keys()]).toEqual([]);
  });

  it('in a bucket does not delay the removal of the pool if the request to store it was answered', async () => {
    world = await startPoolWorld({ ignition: inBucket });
    await world.renewData(IGNITION, 'ignition');
    await world.settle();
    expect(readGroupMemory(await world.infrastructure()).storingAt).toBeUndefined();
  });
});
