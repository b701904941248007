import { describe, expect, it } from 'vitest';
import { LIMIT, type Point, pointsOf, untilDeath } from '../crash-points/points.ts';
import { type Executioner, makeExecutioner } from './faults.ts';
import { extras, inventory, NO_EXTRAS, NOTHING, ONE_CLUSTER, ONE_ZONE } from './inventory.ts';
import { askForDeletion, create, nobody, remove } from './steps.ts';
import { startWorld, type World } from './world.ts';

type Settings = Parameters<typeof startWorld>[1];

const oneZone = { network: { vpc: { availabilityZoneUsageLimit: 1 } } };

const inWorld = async <T>(run: (world: World) => Promise<T>, spec = {}, settings: Settings = {}): Promise<T> => {
  const world = await startWorld(spec, settings);
  try {
    return await run(world);
  } finally {
    await world.close();
  }
};

/** The number of effects of a run that nobody kills. */
const countEffects = (run: (world: World, executioner: Executioner) => Promise<unknown>, spec = {}): Promise<number> =>
  inWorld(async (world) => {
    const counter = nobody();
    await run(world, counter);
    return counter.count;
  }, spec);

/** Runs the story for each point and returns those whose end is not the expected one. */
const failuresOf = async (
  points: readonly Point[],
  story: (world: World, executioner: Executioner) => Promise<unknown>,
  expected: unknown,
  { spec = {}, settings = {} as Settings } = {},
): Promise<string[]> => {
  const failures: string[] = [];
  for (const { at, when } of points) {
    const end = await inWorld(
      (world) => story(world, makeExecutioner(at, when)).catch((error: unknown) => String(error)),
      spec,
      settings,
    );
    if (JSON.stringify(end) !== JSON.stringify(expected)) failures.push(`${when} ${at}: ${JSON.stringify(end)}`);
  }
  return failures;
};

const createAfterCrash = async (world: World, executioner: Executioner) => {
  await untilDeath(create(world, executioner));
  await create(world);
  return inventory(world);
};

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

describe('a run that is killed at any of its effects', () => {
  it(
    'leaves exactly one of everything after the next run',
    async () => {
      const count = await countEffects(create, oneZone);

      const failures = await failuresOf(pointsOf(count, 30), createAfterCrash, ONE_ZONE, { spec: oneZone });

      expect(count).toBeGreaterThan(50);
      expect(failures).toEqual([]);
    },
    LIMIT,
  );

  it(
    'leaves exactly one of everything in three zones',
    async () => {
      const count = await countEffects(create);

      const failures = await failuresOf(pointsOf(count, 60), createAfterCrash, ONE_CLUSTER);

      expect(count).toBeGreaterThan(90);
      expect(failures).toEqual([]);
    },
    LIMIT,
  );

  it(
    'leaves exactly one of everything when EC2 shows what was made only seconds later',
    async () => {
      const count = await countEffects(create, oneZone);
      const settings = { consistencyMilliseconds: 3000 };

      const failures = await failuresOf(pointsOf(count, 30), createAfterCrash, ONE_ZONE, { spec: oneZone, settings });

      expect(failures).toEqual([]);
    },
    LIMIT,
  );

  it(
    'leaves a network that can be deleted',
    async () => {
      const count = await countEffects(create, oneZone);

      const failures = await failuresOf(pointsOf(count, 40), removeAfterCrash, NOTHING, { spec: oneZone });

      expect(failures).toEqual([]);
    },
    LIMIT,
  );

  it(
    'leaves a deletion that can be finished',
    async () => {
      const count = await countEffects(async (world, executioner) => {
        await create(world);
        await askForDeletion(world);
        await remove(world, { executioner });
      }, oneZone);

      const failures = await failuresOf(pointsOf(count, 32), removeAfterCrashOfRemoval, NOTHING, { spec: oneZone });

      expect(count).toBeGreaterThan(20);
      expect(failures).toEqual([]);
    },
    LIMIT,
  );
});

describe('a dual-stack cluster with an endpoint and a secondary block', () => {
  const spec = {
    network: {
      vpc: { ipv6: {}, availabilityZoneUsageLimit: 1, secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.0.0/16' }] },
    },
    s3Bucket: { name: 'boot-data', presignedURLDuration: '1h' },
  };
  const all = async (world: World) => ({ ...(await inventory(world)), ...(await extras(world)) });

  it(
    'is whole after a crash and the next run, and gone after its deletion',
    async () => {
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
    },
    LIMIT,
  );
});

describe('two runs at once', () => {
  it.each([
    { consistencyMilliseconds: 0, reason: 'when EC2 is consistent' },
    { consistencyMilliseconds: 2000, reason: 'when EC2 shows what was made only seconds later' },
  ])('leave exactly one of everything $reason', async ({ consistencyMilliseconds }) => {
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
