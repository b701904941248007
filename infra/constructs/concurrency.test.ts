import { describe, expect, it } from 'vitest';
import { divideConcurrency } from './concurrency.ts';

describe('a quota of concurrent executions', () => {
  it('that is unknown is not divided, so that the stack can be deployed anywhere', () => {
    expect(divideConcurrency(0)).toEqual({ reserved: {}, watches: {}, requests: { rate: 500, burst: 1000 } });
  });

  it('of 10, as in new accounts, leaves half for everything except watches', () => {
    expect(divideConcurrency(10)).toEqual({
      reserved: {},
      watches: { api: 2, watch: 3 },
      requests: { rate: 50, burst: 5 },
    });
  });

  it('of 1000 limits the API, reserves one for the sweep, and leaves most for the steps', () => {
    expect(divideConcurrency(1000)).toEqual({
      reserved: { api: 180, watch: 120, authorizer: 50, changes: 2, drift: 1 },
      watches: { api: 120, watch: 120 },
      requests: { rate: 500, burst: 60 },
    });
  });

  it('reserves one for each part of a sweep', () => {
    expect(divideConcurrency(1000, 7).reserved.drift).toBe(7);
  });

  it('of any size leaves 100 unreserved, or reserves nothing', () => {
    for (let quota = 1; quota <= 3000; quota += 1) {
      const { reserved, watches, requests } = divideConcurrency(quota);
      const { api = quota, watch = quota } = reserved;
      const all = Object.values(reserved).reduce((sum, one) => sum + one, 0);
      if (reserved.api !== undefined) expect(quota - all).toBeGreaterThanOrEqual(100);
      expect(Math.min(watches.api ?? 0, watches.watch ?? 0)).toBeGreaterThanOrEqual(1);
      expect(watches.api).toBeLessThanOrEqual(Math.max(1, api * 0.67));
      expect(watches.watch).toBeLessThanOrEqual(watch);
      // Every request that the gateway admits at once gets an execution, even if all watches are open.
      expect(requests.burst).toBeGreaterThanOrEqual(1);
      if (quota > 1) expect(requests.burst + (watches.api ?? 0)).toBeLessThanOrEqual(api);
    }
  });
});
