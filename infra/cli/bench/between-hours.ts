import { HOURLY_MINUTES } from '../../../functions/drift/left-over/hourly.ts';
import type { Clock } from '../../../shared/clock.ts';
import { SWEEP_MINUTES } from './cost/model.ts';

/** How long before the hour no sweep is started, because it might not end in time. */
const MARGIN_MINUTES = 1;

/** Waits, if necessary, until sweeps are not the first of their hour: these also look for what is left over. */
export const betweenHours = async (clock: Clock): Promise<void> => {
  const minute = (clock.now().getTime() / 60_000 + MARGIN_MINUTES) % HOURLY_MINUTES;
  const left = MARGIN_MINUTES + SWEEP_MINUTES - minute;
  if (left > 0) await clock.sleep(left * 60_000);
};
