import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';

export const pathOf = (group: string, namespace: string, plural: string): string =>
  `/apis/${group}/v1beta2/namespaces/${namespace}/${plural}`;

/**
 * Long enough not to slow down the functions, which answer the checks of several clusters while they create those
 * clusters.
 */
const LOOK_MILLISECONDS = 1500;

/** Repeats the check until it reports nothing or the time is up. Returns the last report. */
export const waited = async (look: () => Promise<string | undefined>): Promise<string | undefined> => {
  let last: string | undefined = 'nothing was looked at';
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (last !== undefined && Date.now() < end) {
    last = await look();
    if (last !== undefined) await systemClock.sleep(LOOK_MILLISECONDS);
  }
  return last;
};
