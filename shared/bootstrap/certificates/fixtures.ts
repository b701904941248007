import type { Clock } from '../../clock.ts';
import { type Random, systemRandom } from '../../random.ts';
import type { IssueDependencies } from './issue.ts';
import { webCryptoKeys } from './keys.ts';

/** For tests: a clock that stands still. */
export const stillClock = (at: string): Clock => ({ now: () => new Date(at), sleep: async () => {} });

const random: Random = systemRandom;

/** For tests: real keys, a clock that stands at `at`. */
export const testDependencies = (at = '2026-01-01T00:00:00Z'): IssueDependencies => ({
  clock: stillClock(at),
  random,
  keys: webCryptoKeys,
});
