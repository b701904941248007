import { expect, it } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import { PATIENCE } from '../../shared/test-patience.ts';
import { SERVERS_AT_ONCE, startRun } from './run.ts';

it('reads a limited number of servers at a time, and the next one when another has answered or failed', async () => {
  const run = startRun({ log: silentLog, pledges: {} as never });
  const open: PromiseWithResolvers<void>[] = [];
  const reading = Array.from({ length: SERVERS_AT_ONCE + 2 }, () =>
    run.withServer(() => {
      const one = Promise.withResolvers<void>();
      open.push(one);
      return one.promise;
    }),
  );
  const ended = Promise.allSettled(reading);
  await Promise.resolve();
  expect(open).toHaveLength(SERVERS_AT_ONCE);

  open[0]?.resolve();
  open[1]?.reject(new Error('no answer'));
  await Promise.allSettled(reading.slice(0, 2));
  await expect.poll(() => open.length, PATIENCE).toBe(SERVERS_AT_ONCE + 2);

  for (const one of open) one.resolve();
  await ended;
});
