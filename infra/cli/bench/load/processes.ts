/** The usage of processes, as reported by Linux. */
import { readFileSync } from 'node:fs';
import { systemClock } from '../../../../shared/clock.ts';
import { residentMegabytes } from '../child.ts';

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;
const SAMPLE_MILLISECONDS = 500;

/** Processor time of processes so far, in seconds: their own, and that of the children that they have waited for. */
export const cpuSecondsOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    // The name of the program, in parentheses, may contain spaces.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
    const ticks = fields.split(' ').slice(11, 15);
    return sum + ticks.reduce((total, one) => total + Number(one), 0) / TICKS;
  }, 0);

/** The largest sum of their resident memory, in megabytes, while `act` runs; polled twice a second. */
export const peakMegabytesOf = async (pids: readonly number[], act: () => Promise<void>): Promise<number> => {
  let peak = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const sum = pids.reduce((total, pid) => total + residentMegabytes(pid), 0);
      peak = Math.max(peak, sum);
      await systemClock.sleep(SAMPLE_MILLISECONDS);
    }
  };
  const watching = watch();
  try {
    await act();
  } finally {
    isOver = true;
    await watching;
  }
  return peak;
};
