/**
 * Measures sweeps of a large fleet: the deployed function with a real table and a simulated account, both full of
 * copies.
 */
import { isIn } from '../../../../functions/drift/shards.ts';
import type { SweepResult } from '../../../../functions/drift/sweep.ts';
import { systemClock } from '../../../../shared/clock.ts';
import { type Usage, usageSince } from '../../../../shared/providers/aws/plan/cost/usage.ts';
import { synth } from '../../commands/synth.ts';
import type { Laptop } from '../../laptop.ts';
import { betweenHours } from '../between-hours.ts';
import { startQuietLaptop } from '../quiet-laptop.ts';
import { addOthers, fillAccount } from './fill-account.ts';
import { fillTable, type IsRead, placeOf } from './fill-table.ts';
import { makePattern } from './pattern.ts';

export interface FleetSweep {
  clusters: number;
  machines: number;
  others: number;
  /** The number of functions, each of which sweeps a part of the fleet. */
  shards: number;
  /** The clusters in the parts that were swept. */
  swept: number;
  /** For the slowest function, as Lambda would count them. */
  seconds: number;
  /** Elapsed time here, with the table and the account on the same computer. */
  wallSeconds: number;
  /** The functions' maximum memory, in megabytes. */
  heapMegabytes: number;
  usage: Usage;
}

const MACHINES_EACH = 13;
const FUNCTION = 'Windlass-drift';
/** With this interval, each sweep is the first of its hour. */
const ALWAYS_HOURLY = { sweepMinutes: '60' };
const LOOK_MILLISECONDS = 100;

export interface Asked {
  /** Numbers of clusters, ascending. Each has 13 machines. */
  clusters: readonly number[];
  /** Instances in the account that do not belong to Windlass. */
  others: number;
  shards: number;
  /** How many of the functions are measured; all if undefined. The table contains only what they read. */
  measured?: number;
  /** Measures the first sweep of an hour, which also looks for leftover resources, instead of the eleven others. */
  isHourly?: boolean;
}

type Measured = Pick<FleetSweep, 'seconds' | 'wallSeconds' | 'heapMegabytes' | 'usage'>;

/**
 * One sweep. On AWS, the functions run in parallel, so the slowest one determines the time. Here they run one after the
 * other, so that they do not slow each other down. A function has one gigabyte of memory, so its seconds are its
 * GB-seconds.
 */
const sweepOnce = async ({ meter, runtime }: Laptop, count: number): Promise<Measured> => {
  const before = meter.usage();
  /** A function returns before its usage has been counted. */
  const isCounted = async (own: Usage): Promise<void> => {
    while (!usageSince(own, meter.usage()).invocations) await systemClock.sleep(LOOK_MILLISECONDS);
  };
  const measured = { seconds: 0, wallSeconds: 0, heapMegabytes: 0 };
  const watch = setInterval(async () => {
    measured.heapMegabytes = Math.max(measured.heapMegabytes, await runtime.functionsMegabytes());
  }, LOOK_MILLISECONDS);
  try {
    for (let shard = 0; shard < count; shard += 1) {
      const own = meter.usage();
      const start = performance.now();
      const { touched } = (await runtime.invoke(FUNCTION, { shard })) as SweepResult;
      if (touched > 0) throw new Error(`${touched} clusters look changed, and nobody has changed any`);
      await isCounted(own);
      measured.seconds = Math.max(measured.seconds, usageSince(own, meter.usage()).gigabyteSeconds ?? 0);
      measured.wallSeconds = Math.max(measured.wallSeconds, (performance.now() - start) / 1000);
    }
  } finally {
    clearInterval(watch);
  }
  return { ...measured, usage: usageSince(before, meter.usage()) };
};

/** Measures one sweep over each of these fleets. `say` reports each step. */
export const measureFleet = async (
  { clusters, others, shards, measured = shards, isHourly = false }: Asked,
  say: (text: string) => void,
): Promise<FleetSweep[]> => {
  const context = { ...(isHourly ? ALWAYS_HOURLY : {}), sweepShards: String(shards) };
  const { outdir } = await synth({ quiet: true, context });
  say('A cluster to be copied...');
  const pattern = await makePattern(outdir);
  const laptop = await startQuietLaptop({ outdir, bootMilliseconds: 0, withoutMachines: true, withoutSchedules: true });
  try {
    addOthers(laptop.account, pattern, others);
    // Starts the function's process; a deployed function still has one from the previous sweep.
    await laptop.runtime.invoke(FUNCTION, {});
    const isRead: IsRead = (namespace) =>
      Array.from({ length: measured }, (_, index) => isIn(namespace, { index, of: shards })).includes(true);
    const found: FleetSweep[] = [];
    let made = 0;
    for (const count of clusters) {
      say(`${count} clusters...`);
      fillAccount(laptop.account, pattern, made + 1, count);
      await fillTable(laptop, pattern, [made + 1, count], isRead);
      made = count;
      const swept = Array.from({ length: count }, (_, index) => placeOf(index + 1)).filter((at) =>
        isRead(at.namespace),
      );
      const fleet = { clusters: count, machines: count * MACHINES_EACH, others, shards, swept: swept.length };
      // The first sweep over new copies also records what it has found.
      await sweepOnce(laptop, measured);
      if (!isHourly) await betweenHours(systemClock);
      found.push({ ...fleet, ...(await sweepOnce(laptop, measured)) });
    }
    return found;
  } finally {
    await laptop.stop();
  }
};
