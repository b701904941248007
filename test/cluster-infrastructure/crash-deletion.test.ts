import { describe, expect, it } from 'vitest';
import { pointsOf, untilDeath } from '../crash-points/points.ts';
import { countEffects, failuresOf, oneZone } from './crash-stories.ts';
import type { Executioner } from './faults.ts';
import { extras, inventory, NO_EXTRAS, NOTHING, ONE_ZONE } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import type { World } from './world.ts';

const removeAfterCrash = async (world: World, executioner: Executioner) => {
  await untilDeath(create(world, executioner));
  await askForDeletion(world);
  await remove(world);
  return inventory(world);
};

const removeAfterCrashOfRemoval = async (world: World, executioner: Executioner) => {
  await create(world);
  await askForDeletion(world);
  await untilDeath(remove(world, { executioner }));
  await remove(world);
  return inventory(world);
};

describe('a run that is killed at any of its writes', () => {
  it('leaves a network that can be deleted', async () => {
    const count = await countEffects(create, oneZone);

    const failures = await failuresOf(pointsOf(count, 40), removeAfterCrash, NOTHING, { spec: oneZone });

    expect(failures).toEqual([]);
  });

  it('leaves a deletion that the next run can finish', async () => {
    const count = await countEffects(async (world, executioner) => {
      await create(world);
      await askForDeletion(world);
      await remove(world, { executioner });
    }, oneZone);

    const failures = await failuresOf(pointsOf(count, 32), removeAfterCrashOfRemoval, NOTHING, { spec: oneZone });

    expect(count).toBeGreaterThan(20);
    expect(failures).toEqual([]);
  });
});

describe('a dual-stack cluster with an endpoint and a secondary block', () => {
  const spec = {
    network: {
      vpc: { ipv6: {}, availabilityZoneUsageLimit: 1, secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.0.0/16' }] },
    },
    s3Bucket: { name: 'boot-data', presignedURLDuration: '1h' },
  };
  const all = async (world: World) => ({ ...(await inventory(world)), ...(await extras(world)) });

  it('is complete after a crash and the next run, and gone after its deletion', async () => {
    const story = async (world: World, executioner: Executioner) => {
      await untilDeath(create(world, executioner));
      await create(world);
      const made = await all(world);
      await askForDeletion(world);
      await untilDeath(remove(world, { executioner }));
      await remove(world);
      return [made, await all(world)];
    };
    const count = await countEffects(async (world, executioner) => {
      await create(world, executioner);
      await askForDeletion(world);
      await remove(world, { executioner });
    }, spec);

    const expected = [
      { ...ONE_ZONE, egressOnly: 1, carriers: 0, endpoints: 1, secondaryBlocks: 1 },
      { ...NOTHING, ...NO_EXTRAS },
    ];
    const failures = await failuresOf(pointsOf(count, 60), story, expected, { spec });

    expect(count).toBeGreaterThan(80);
    expect(failures).toEqual([]);
  });
});
