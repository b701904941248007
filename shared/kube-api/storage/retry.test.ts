import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../errors.ts';
import { PERSISTENT_ATTEMPTS, retryOnConflict } from './retry.ts';

const resource = { group: 'toys.windlass.dev', plural: 'gizmos' };

/** Races against this many faster writers, and records the waits between attempts. */
const race = async (rivals: number) => {
  const waits: number[] = [];
  const waiting = {
    clock: { now: () => new Date(0), sleep: async (milliseconds: number) => void waits.push(milliseconds) },
    random: { bytes: () => Uint8Array.of(255), uuid: () => '' },
  };
  let left = rivals;
  const outcome = await retryOnConflict(waiting, { resource, name: 'one', attempts: PERSISTENT_ATTEMPTS }, async () => {
    left -= 1;
    if (left >= 0) throw new ConflictError('a newer version is stored');
    return 'written';
  }).catch((error: Error) => error);
  return { outcome, waits };
};

describe('a write that does not depend on the stored version', () => {
  it('succeeds after faster writers, with increasing waits', async () => {
    const { outcome, waits } = await race(9);
    expect(outcome).toBe('written');
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 640, 640]);
  });

  it('fails with Conflict before API Gateway times out', async () => {
    const { outcome, waits } = await race(100);
    expect(outcome).toMatchObject({ reason: 'Conflict' });
    expect(waits.reduce((sum, each) => sum + each)).toBeLessThan(20_000);
  });
});
