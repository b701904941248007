/** A laptop whose meter is read before and after a measurement. The observer's polling does not count. */
import { systemClock } from '../../../../shared/clock.ts';
import { addUsage, type Usage, usageSince } from '../../../../shared/providers/aws/plan/cost/usage.ts';
import type { Execution } from '../../../local/engines/states/executions.ts';
import { type Api, makeApi } from '../../api/client.ts';
import { synth } from '../../commands/synth.ts';
import type { Laptop } from '../../laptop.ts';
import { betweenHours } from '../between-hours.ts';
import { startQuietLaptop } from '../quiet-laptop.ts';

export interface MeteredLaptop {
  laptop: Laptop;
  api: Api;
  outdir: string;
  /** The usage of `act` and of all work that follows from it until `isOver`. */
  used(what: string, act: () => Promise<unknown>, isOver?: () => Promise<boolean>): Promise<Usage>;
  /** The usage of one sweep that is not the first of its hour: the average of several in a row. */
  sweep(): Promise<Usage>;
  stop(): Promise<void>;
}

const LOOK_MILLISECONDS = 1_000;
/** Work has finished if this number of checks in a row finds nothing running; by then all usage has been counted. */
const QUIET_LOOKS = 4;
const PATIENCE_SECONDS = 1_800;
const SWEEPS = 5;

/** A pass that waits before it requests the next one has finished its work. */
const isAtWork = ({ machineArn, events }: Execution): boolean =>
  !(machineArn.endsWith('converge-cluster') && events.at(-1)?.state?.type === 'Wait');

export const startMetered = async (bootSeconds: number): Promise<MeteredLaptop> => {
  const { outdir } = await synth({ quiet: true });
  // Sweeps run only on request, not in the middle of something else.
  const laptop = await startQuietLaptop({ outdir, bootMilliseconds: bootSeconds * 1000, withoutSchedules: true });
  const api = makeApi(laptop.access, systemClock);
  const read = () => laptop.meter.usage();

  /** The usage of polling, which does not count. */
  let uncounted: Usage = {};
  const ask = async (isOver: () => Promise<boolean>): Promise<boolean> => {
    const before = read();
    const answer = await isOver();
    await systemClock.sleep(LOOK_MILLISECONDS);
    uncounted = addUsage(uncounted, usageSince(before, read()));
    return answer;
  };

  const used: MeteredLaptop['used'] = async (what, act, isOver = async () => true) => {
    const before = read();
    uncounted = {};
    const end = performance.now() + PATIENCE_SECONDS * 1000;
    await act();
    for (let quiet = 0; quiet < QUIET_LOOKS || !(await ask(isOver)); quiet += 1) {
      if (performance.now() > end) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`);
      await systemClock.sleep(LOOK_MILLISECONDS);
      const running = laptop.runtime.executions().filter(({ status }) => status === 'RUNNING');
      if (running.some(isAtWork)) quiet = -1;
      // If nothing runs although it is not over, the work waits for a sweep, whose own cost is counted elsewhere.
      else if (quiet >= QUIET_LOOKS && running.length === 0)
        await ask(async () => !(await laptop.runtime.invoke('Windlass-drift', {})));
    }
    return usageSince(uncounted, usageSince(before, read()));
  };

  return {
    laptop,
    api,
    outdir,
    used,
    sweep: async () => {
      const drift = () => laptop.runtime.invoke('Windlass-drift', {});
      // The first sweep starts the function's process and finds earlier changes.
      await used('a sweep', drift);
      await betweenHours(systemClock);
      const all = await used('sweeps', async () => {
        for (let left = SWEEPS; left > 0; left -= 1) await drift();
      });
      return Object.fromEntries(Object.entries(all).map(([unit, quantity]) => [unit, quantity / SWEEPS]));
    },
    stop: async () => {
      api.close();
      await laptop.stop();
    },
  };
};
