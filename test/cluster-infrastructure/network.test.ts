import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING, ONE_CLUSTER } from './inventory.ts';
import { askForDeletion, create, nobody, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

describe('the infrastructure of a cluster', () => {
  it('is made at once, and the second run changes nothing', async () => {
    world = await startWorld();
    const counter = nobody();

    const first = await create(world);
    const version = (await world.awsCluster()).metadata.resourceVersion;
    const second = await create(world, counter);

    expect([first, second]).toEqual([true, true]);
    expect(await inventory(world)).toEqual(ONE_CLUSTER);
    expect((await world.awsCluster()).metadata.resourceVersion).toBe(version);
  });

  it('is gone after the deletion, and so is the AWSCluster', async () => {
    world = await startWorld();
    await create(world);

    await askForDeletion(world);
    await remove(world);

    expect(await inventory(world)).toEqual(NOTHING);
    expect(await world.objects.get(kinds.awsCluster, KEY)).toBeUndefined();
  });
});
