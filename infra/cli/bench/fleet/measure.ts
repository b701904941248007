/** What a sweep of a large fleet takes: the deployed function over a real table and a simulated account, full of copies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../../shared/log.ts';
import { type Usage, usageSince } from '../../../../shared/providers/aws/plan/cost/usage.ts';
import { synth } from '../../commands/synth.ts';
import { type Laptop, startLaptop } from '../../laptop.ts';
import { addOthers, fillAccount } from './fill-account.ts';
import { fillTable } from './fill-table.ts';
import { makePattern } from './pattern.ts';

export interface FleetSweep {
  clusters: number;
  machines: number;
  others: number;
  /** Of the function that took longest, as Lambda would count them. */
  seconds: number;
  /** As they passed here, with the table and the account on the same computer. */
  wallSeconds: number;
  /** The most that the functions held at once, in megabytes. */
  heapMegabytes: number;
  usage: Usage;
}

const MACHINES_EACH = 13;
const FUNCTION = 'Windlass-drift';
/** Of a month, of a rule or of another sweep: this one is asked for. */
const CONTEXT = { sweepMinutes: '60' };
const LOOK_MILLISECONDS = 100;

interface Asked {
  clusters: readonly number[];
  others: number;
  say(text: string): void;
}

const GIGABYTE_OF_FUNCTION = 1;

/** The function that took longest decides: their seconds are those that are billed. */
const sweepOnce = async (
  laptop: Laptop,
  events: readonly object[],
): Promise<Omit<FleetSweep, 'clusters' | 'machines' | 'others'>> => {
  const before = laptop.meter.usage();
  const begun = performance.now();
  let seconds = 0;
  let heapMegabytes = 0;
  const watch = setInterval(async () => {
    heapMegabytes = Math.max(heapMegabytes, await laptop.runtime.functionsMegabytes());
  }, LOOK_MILLISECONDS);
  try {
    for (const event of events) {
      const own = laptop.meter.usage();
      await laptop.runtime.invoke(FUNCTION, event);
      const { gigabyteSeconds = 0 } = usageSince(own, laptop.meter.usage());
      seconds = Math.max(seconds, gigabyteSeconds / GIGABYTE_OF_FUNCTION);
    }
  } finally {
    clearInterval(watch);
  }
  const wallSeconds = (performance.now() - begun) / 1000;
  return { seconds, wallSeconds, heapMegabytes, usage: usageSince(before, laptop.meter.usage()) };
};

/** One sweep over each of these numbers of clusters, ascending, of 13 machines each. The second of two is measured. */
export const measureFleet = async ({ clusters, others, say }: Asked): Promise<FleetSweep[]> => {
  const { outdir } = await synth({ quiet: true, context: CONTEXT });
  say('A cluster to be copied...');
  const pattern = await makePattern(outdir);
  const home = mkdtempSync(join(tmpdir(), 'windlass-bench-'));
  const options = { outdir, port: 0, bootMilliseconds: 0, tlsDirectory: join(home, 'tls'), withoutMachines: true };
  const laptop = await startLaptop({ ...options, log: silentLog, onFunctionLog: () => {} });
  try {
    addOthers(laptop.account, pattern, others);
    const found: FleetSweep[] = [];
    let made = 0;
    for (const count of clusters) {
      say(`${count} clusters...`);
      fillAccount(laptop.account, pattern, made + 1, count);
      await fillTable(laptop, pattern, made + 1, count);
      made = count;
      await laptop.runtime.invoke(FUNCTION, {});
      found.push({ clusters: count, machines: count * MACHINES_EACH, others, ...(await sweepOnce(laptop, [{}])) });
    }
    return found;
  } finally {
    await laptop.stop();
    rmSync(home, { recursive: true, force: true });
  }
};
