import { expect, it } from 'vitest';
import { LIMIT } from '../../../../shared/test-patience.ts';
import { launchAtOnce } from './launches.ts';

it('launches the machines of 100 clusters at the rate that AWS allows, and none fails', {
  timeout: LIMIT,
}, async () => {
  const result = await launchAtOnce({ machines: 1300, processes: 200, share: 0.9 });
  expect(result.failed).toBe(0);
  expect(result.share).toBeGreaterThan(0.9);
  expect(result.throttled / result.machines).toBeLessThan(2);
});

it('is throttled far more often if functions do not take turns', { timeout: LIMIT }, async () => {
  const result = await launchAtOnce({ machines: 260, processes: 60 });
  expect(result.throttled / result.machines).toBeGreaterThan(10);
});

it('writes nothing to the table if AWS refuses nothing', async () => {
  expect(await launchAtOnce({ machines: 5, processes: 5, share: 0.9 })).toMatchObject({
    seconds: 0,
    leases: 0,
    invocations: 1,
  });
});
