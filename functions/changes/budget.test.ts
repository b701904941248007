import { describe, expect, it } from 'vitest';
import { judge, MOST_PASSES_A_MONTH } from './budget.ts';

const MINUTE = 60_000;

/** Sends reports at these times and returns the times of those that lead to a pass. */
const passesAt = (times: readonly number[]): number[] => {
  let state: { lastAt?: number; fullAt?: number } = {};
  return times.filter((now) => {
    const verdict = judge(state, now);
    if (verdict.answer !== 'pass') return false;
    state = verdict.next;
    return true;
  });
};

const every = (milliseconds: number, until: number): number[] =>
  Array.from({ length: Math.floor(until / milliseconds) }, (_, index) => (index + 1) * milliseconds);

describe('the budget of passes that reports cause', () => {
  it('has room for the first report, and for the next one after ten seconds', () => {
    const first = judge({}, 5000);
    expect(first).toMatchObject({ answer: 'pass', next: { lastAt: 5000 }, until: 15_000 });
    const { next } = first as Extract<typeof first, { answer: 'pass' }>;
    expect(judge(next, 14_999)).toEqual({ answer: 'later', until: 15_000 });
    expect(judge(next, 15_000)).toMatchObject({ answer: 'pass' });
  });

  it('is spent after twelve reports in a row, and allows one more every five minutes', () => {
    const passes = passesAt(every(10_000, 20 * MINUTE));
    expect(passes.slice(0, 12)).toEqual(every(10_000, 2 * MINUTE));
    // The first report starts to refill the budget.
    expect(passes.slice(12)).toEqual([10_000 + 5 * MINUTE, 10_000 + 10 * MINUTE, 10_000 + 15 * MINUTE]);
  });

  it('says when it allows the next report', () => {
    const now = 100 * MINUTE;
    expect(judge({ lastAt: now, fullAt: now + 60 * MINUTE }, now)).toEqual({
      answer: 'spent',
      until: now + 5 * MINUTE,
    });
  });

  it('is full again after an hour without reports', () => {
    const burst = every(10_000, 2 * MINUTE);
    const later = burst.map((time) => time + 62 * MINUTE);
    expect(passesAt([...burst, ...later])).toHaveLength(24);
  });

  it('bounds the passes of a month, however many reports there are', () => {
    const month = 30 * 24 * 60 * MINUTE;
    const passes = passesAt(every(10_000, month)).length;
    expect(passes).toBeLessThanOrEqual(MOST_PASSES_A_MONTH);
    expect(MOST_PASSES_A_MONTH).toBe(8652);
    expect(passes).toBeGreaterThan(8600);
  });
});
