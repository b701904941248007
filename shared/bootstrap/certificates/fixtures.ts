import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { type ClusterCertificates, generateClusterCertificates } from './authority.ts';
import type { IssueDependencies } from './issue.ts';
import { webCryptoKeys } from './keys.ts';

/** For tests: a fixed clock. */
const stillClock = (at: string): Clock => ({ now: () => new Date(at), sleep: async () => {} });

/** Only used for serial numbers. */
const random: Random = {
  bytes: (length) => Uint8Array.from({ length }, (_, index) => index + 1),
  uuid: () => '00000000-0000-4000-8000-000000000000',
};

/** For tests: real keys, and a clock fixed at `at`. */
export const testDependencies = (at = '2026-01-01T00:00:00Z'): IssueDependencies => ({
  clock: stillClock(at),
  random,
  keys: webCryptoKeys,
});

/** For tests: the key material of a cluster, with keys that are generated quickly. */
export const testCertificates = (): Promise<ClusterCertificates> =>
  generateClusterCertificates({ ...testDependencies(), algorithm: 'ECDSA-P256' });
