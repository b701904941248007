import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';

export const pathOf = (group: string, namespace: string, plural: string): string =>
  `/apis/${group}/v1beta2/namespaces/${namespace}/${plural}`;

/** Eight clusters are looked at, by three requests each, while the functions that answer build those clusters. */
const LOOK_MILLISECONDS = 1000;

/** Asks until there is nothing to say, or time is over; then what was said last. */
export const waited = async (look: () => Promise<string | undefined>): Promise<string | undefined> => {
  let last: string | undefined = 'nothing was looked at';
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (last !== undefined && Date.now() < end) {
    last = await look();
    if (last !== undefined) await systemClock.sleep(LOOK_MILLISECONDS);
  }
  return last;
};
