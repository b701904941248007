/** Worlds in which a run is killed at one of its effects. */
import type { Point } from '../crash-points/points.ts';
import { type Executioner, makeExecutioner } from './faults.ts';
import { nobody } from './steps.ts';
import { startWorld, type World } from './world.ts';

/** A cluster in one zone has the fewest effects. */
export const oneZone = { network: { vpc: { availabilityZoneUsageLimit: 1 } } };

type Settings = Parameters<typeof startWorld>[1];

/** Runs in a separate world, which is closed in any case. */
export const inWorld = async <T>(run: (world: World) => Promise<T>, spec = {}, settings: Settings = {}): Promise<T> => {
  const world = await startWorld(spec, settings);
  try {
    return await run(world);
  } finally {
    await world.close();
  }
};

/** The number of effects of a run that is not killed. */
export const countEffects = (
  run: (world: World, executioner: Executioner) => Promise<unknown>,
  spec = {},
): Promise<number> =>
  inWorld(async (world) => {
    const counter = nobody();
    await run(world, counter);
    return counter.count;
  }, spec);

/** Runs the scenario for each point, and returns the points with an unexpected result. */
export const failuresOf = async (
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
