import { describe, expect, it } from 'vitest';
import {
  type CounterState,
  oldestCursor,
  RETENTION_MS,
  type RecentWrite,
  SETTLE_MS,
  settledByTime,
  settledUpTo,
} from './history.ts';

const NOW = new Date('2030-01-01T12:00:00Z');
const ago = (milliseconds: number): number => NOW.getTime() - milliseconds;
const write = (version: number, age = 0): RecentWrite => ({
  version,
  namespace: 'a',
  name: `w-${version}`,
  at: ago(age),
});
/** Versions 8 to 10 were assigned just now. */
const state = (changes: Partial<CounterState> = {}): CounterState => ({
  version: 10,
  recent: [write(10), write(9), write(8)],
  marks: [],
  burnt: new Set(),
  ...changes,
});

describe('the settled version', () => {
  it.each([
    { reason: 'all writes are visible', from: 7, visible: [8, 9, 10], burnt: [], settled: 10 },
    { reason: 'the first is in progress', from: 7, visible: [9, 10], burnt: [], settled: 7 },
    { reason: 'one in the middle is in progress', from: 7, visible: [8, 10], burnt: [], settled: 8 },
    { reason: 'one was refused', from: 7, visible: [8, 10], burnt: [9], settled: 10 },
    { reason: 'the newest was refused', from: 7, visible: [8, 9], burnt: [10], settled: 10 },
    { reason: 'nothing is known of 6 and 7', from: 5, visible: [8, 9, 10], burnt: [], settled: 5 },
  ])('is $settled when $reason', ({ from, visible, burnt, settled }) => {
    const current = state({ burnt: new Set(burnt) });
    expect(settledUpTo(current, from, NOW, ({ version }) => visible.includes(version))).toBe(settled);
  });

  it('includes older versions that are visible in the index', () => {
    const seen = new Set([6, 7]);
    const settled = settledUpTo(
      state(),
      5,
      NOW,
      () => true,
      (version) => seen.has(version),
    );
    expect(settled).toBe(10);
  });

  it('includes versions that are too old to be in progress', () => {
    const recent = [write(10), write(9, SETTLE_MS), write(8, SETTLE_MS + 1)];
    expect(settledUpTo(state({ recent }), 2, NOW, () => false)).toBe(9);
    const marks = [{ start: ago(SETTLE_MS), version: 6 }];
    expect(settledByTime(state({ marks }), NOW)).toBe(6);
    expect(settledByTime(state({ marks: [{ start: ago(SETTLE_MS - 1), version: 6 }] }), NOW)).toBe(1);
  });

  it('excludes versions below one whose writer read the clock long before its call arrived', () => {
    const recent = [write(10, SETTLE_MS), write(9), write(8, SETTLE_MS)];
    expect(settledUpTo(state({ recent }), 7, NOW, () => false)).toBe(8);
    // Version 6 was assigned just now.
    const late = state({ recent: [write(10), write(9), write(8, SETTLE_MS)], marks: [{ start: ago(1), version: 5 }] });
    expect(settledByTime(late, NOW)).toBe(1);
    expect(settledByTime({ ...late, marks: [{ start: ago(1), version: 8 }] }, NOW)).toBe(8);
    const marks = [
      { start: ago(2 * SETTLE_MS), version: 9 },
      { start: ago(SETTLE_MS), version: 6 },
      { start: ago(0), version: 8 },
    ];
    expect(settledByTime(state({ marks }), NOW)).toBe(6);
    expect(oldestCursor(state({ marks }), NOW)).toBe(6);
  });

  it('includes everything below the version jump of a restored table', () => {
    const leapt = { ...write(9), at: 0 };
    expect(settledUpTo(state({ recent: [write(10), leapt] }), 1, NOW, () => false)).toBe(9);
  });
});

describe('the oldest cursor', () => {
  it('is the version before the first one within the retention', () => {
    const marks = [
      { start: ago(RETENTION_MS + 1), version: 2 },
      { start: ago(RETENTION_MS), version: 4 },
      { start: ago(1000), version: 8 },
    ];
    expect(oldestCursor(state({ marks }), NOW)).toBe(4);
  });

  it('is the newest version of a kind that has been quiet for longer', () => {
    expect(oldestCursor(state({ marks: [{ start: ago(RETENTION_MS * 2), version: 2 }] }), NOW)).toBe(10);
    expect(oldestCursor(state(), NOW)).toBe(10);
  });
});
