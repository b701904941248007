import { systemClock } from '../../../../shared/clock.ts';
import {
  addUsage,
  timesUsage,
  type Usage,
  usageSince,
  withoutUnits,
} from '../../../../shared/providers/aws/plan/cost/usage.ts';
import { loadAssembly } from '../../../local/template.ts';
import { makeToken } from '../../kubeconfig/token.ts';
import { connect } from '../connection.ts';
import type { MeteredLaptop } from './laptop.ts';

/** The first watch starts processes and fills caches. */
const FIRST_SECONDS = 2;
/**
 * A short watch, and one that is longer by the counted time. By then both poll at their slowest pace
 * (functions/api/watch-pace.ts).
 */
const SHORT_SECONDS = 45;
const LONGER_SECONDS = 60;

/** After this time a watch ends, and its client starts another (functions/watch/app.ts). */
const RENEWED_SECONDS = 840;

const HOUR_SECONDS = 3_600;
const MEGABYTES_PER_GIGABYTE = 1024;

const gigabytesOf = (outdir: string, functionName: string): number => {
  const found = Object.values(loadAssembly(outdir).template.Resources).find(
    ({ Properties }) => Properties?.FunctionName === functionName,
  );
  return Number(found?.Properties?.MemorySize) / MEGABYTES_PER_GIGABYTE;
};

/**
 * An hour of a watch of `path` without events, by a client that restarts the watch whenever it ends. The function's
 * working time needs no model: it is part of the time for which the watch is open, which is known.
 */
export const watchHour = async ({ laptop, api, used, outdir }: MeteredLaptop, path: string): Promise<Usage> => {
  const { access } = laptop;
  const { token } = await makeToken(access, systemClock.now());
  const lasting = async (seconds: number): Promise<Usage> => {
    const usage = await used('a watch', async () => {
      const { metadata } = await api.send<{ metadata: { resourceVersion: string } }>('GET', path);
      const connection = connect({ url: access.server, ca: access.caPem, token });
      const watching = await connection.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
      await systemClock.sleep(seconds * 1_000);
      watching.close();
      connection.close();
    });
    return withoutUnits(usage, ['gigabyteSeconds', 'metricMonths']);
  };
  await lasting(FIRST_SECONDS);
  const short = await lasting(SHORT_SECONDS);
  const long = await lasting(SHORT_SECONDS + LONGER_SECONDS);
  const hour = timesUsage(usageSince(short, long), HOUR_SECONDS / LONGER_SECONDS);
  const begun = usageSince(timesUsage(hour, SHORT_SECONDS / HOUR_SECONDS), short);
  const open = { gigabyteSeconds: HOUR_SECONDS * gigabytesOf(outdir, 'Windlass-watch') };
  return addUsage(hour, open, timesUsage(begun, HOUR_SECONDS / RENEWED_SECONDS));
};
