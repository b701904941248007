import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';

export const pathOf = (group: string, namespace: string, plural: string): string =>
  `/apis/${group}/v1beta2/namespaces/${namespace}/${plural}`;

/** Several clusters are checked while the responding functions create those clusters. */
const LOOK_MILLISECONDS = 1500;

/** Checks until nothing is reported, or time is over; then returns the last report. */
export const waited = async (look: () => Promise<string | undefined>): Promise<string | undefined> => {
  let last: string | undefined = 'nothing was looked at';
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (last !== undefined && Date.now() < end) {
    last = await look();
    if (last !== undefined) await systemClock.sleep(LOOK_MILLISECONDS);
  }
  return last;
};
