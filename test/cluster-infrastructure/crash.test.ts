import { describe, expect, it } from 'vitest';
import { pointsOf, untilDeath } from '../crash-points/points.ts';
import { countEffects, failuresOf, inWorld, oneZone } from './crash-stories.ts';
import type { Executioner } from './faults.ts';
import { inventory, ONE_CLUSTER, ONE_ZONE } from './inventory.ts';
import { create } from './steps.ts';
import type { World } from './world.ts';

const createAfterCrash = async (world: World, executioner: Executioner) => {
  await untilDeath(create(world, executioner));
  await create(world);
  return inventory(world);
};

describe('a run that is killed at any of its writes', () => {
  it('leaves exactly one set of resources after the next run', async () => {
    const count = await countEffects(create, oneZone);

    const failures = await failuresOf(pointsOf(count, 30), createAfterCrash, ONE_ZONE, { spec: oneZone });

    expect(count).toBeGreaterThan(50);
    expect(failures).toEqual([]);
  });

  it('leaves exactly one set of resources in three zones after the next run', async () => {
    const count = await countEffects(create);

    const failures = await failuresOf(pointsOf(count, 60), createAfterCrash, ONE_CLUSTER);

    expect(count).toBeGreaterThan(90);
    expect(failures).toEqual([]);
  });

  it('leaves exactly one set of resources after the next run if EC2 shows created resources only seconds later', async () => {
    const count = await countEffects(create, oneZone);
    const settings = { consistencyMilliseconds: 3000 };

    const failures = await failuresOf(pointsOf(count, 30), createAfterCrash, ONE_ZONE, { spec: oneZone, settings });

    expect(failures).toEqual([]);
  });
});

describe('two concurrent runs', () => {
  it.each([
    { consistencyMilliseconds: 0, reason: 'if EC2 is consistent' },
    { consistencyMilliseconds: 2000, reason: 'if EC2 shows created resources only seconds later' },
  ])('leave exactly one set of resources $reason', async ({ consistencyMilliseconds }) => {
    const end = await inWorld(
      async (world) => {
        await Promise.allSettled([create(world), create(world)]);
        await create(world);
        return inventory(world);
      },
      {},
      { consistencyMilliseconds },
    );

    expect(end).toEqual(ONE_CLUSTER);
  });
});
