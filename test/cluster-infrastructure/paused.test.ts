import { afterEach, describe, expect, it } from 'vitest';
import { isLooked } from '../../functions/providers/aws/drift/accounts.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const PAUSED = 'cluster.x-k8s.io/paused';

const pause = (isPaused: boolean) =>
  world.objects.mutate(kinds.awsCluster, KEY, ({ metadata, ...rest }) => {
    const { [PAUSED]: _, ...others } = metadata.annotations ?? {};
    return { ...rest, metadata: { ...metadata, annotations: isPaused ? { ...others, [PAUSED]: '' } : others } };
  });

const looked = async (): Promise<boolean> => {
  const cluster = await world.objects.get(kinds.cluster, KEY);
  return isLooked({ cluster: cluster as never, awsCluster: await world.awsCluster() }, 'network');
};

describe('an AWSCluster with the annotation that pauses it', () => {
  it('is not built until the annotation is removed', async () => {
    world = await startWorld();
    await pause(true);
    const before = await world.awsCluster();

    expect(await create(world)).toBe(false);
    expect(await inventory(world)).toEqual(NOTHING);
    expect(await world.awsCluster()).toEqual(before);

    await pause(false);
    expect(await create(world)).toBe(true);
  });

  it('lets the cluster continue once it is built, is not repaired, and stays while the cluster is deleted', async () => {
    world = await startWorld();
    expect(await create(world)).toBe(true);
    const built = await inventory(world);
    await pause(true);

    expect(await create(world)).toBe(true);
    expect(await looked()).toBe(false);
    await askForDeletion(world);
    await expect(remove(world)).rejects.toThrow();
    expect(await inventory(world)).toEqual(built);

    await pause(false);
    await remove(world);
    expect(await inventory(world)).toEqual(NOTHING);
  });
});
