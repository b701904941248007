import { HOURLY_MINUTES } from '../../../functions/drift/left-over/hourly.ts';
import type { Clock } from '../../../shared/clock.ts';
import { SWEEP_MINUTES } from './cost/model.ts';

/** No sweep starts in the last minute before the hour, because it might not end in time. */
const MARGIN_MINUTES = 1;

/**
 * Waits, if necessary, until the next sweeps are not the first of their hour, which also looks for leftover resources.
 */
export const betweenHours = async (clock: Clock): Promise<void> => {
  const minute = (clock.now().getTime() / 60_000 + MARGIN_MINUTES) % HOURLY_MINUTES;
  const left = MARGIN_MINUTES + SWEEP_MINUTES - minute;
  if (left > 0) await clock.sleep(left * 60_000);
};
