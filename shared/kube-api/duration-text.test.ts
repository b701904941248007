import { describe, expect, it } from 'vitest';
import { readDuration, readWordedDuration } from './duration-text.ts';

const SECOND = 1_000_000_000n;
const DAY = 24n * 3600n * SECOND;

describe("Go's durations", () => {
  it.each([
    ['0', 0n],
    ['1h2m3.5s', 3723n * SECOND + SECOND / 2n],
    ['-1.m', -60n * SECOND],
    ['+.5us', 500n],
  ])('%s', (text, ns) => {
    expect(readDuration(text)).toBe(ns);
    expect(readWordedDuration(text)).toBe(ns);
  });

  it.each(['', '1', '1d', 'h', '1 h', '1.2.3s', '9999999999h'])('do not include %j', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  // A quadratic parser would exceed the test's timeout.
  it('are read in linear time', () => {
    expect(readDuration('1'.repeat(4_000_000))).toBeUndefined();
  });
});

describe('texts of the format duration', () => {
  it.each([
    ['1d', DAY],
    [' 2 weeks 3 Hours\t1 min ', 14n * DAY + 3n * 3600n * SECOND + 60n * SECOND],
    ['1wk', 7n * DAY],
    ['5millis', 5_000_000n],
    ['3µs', 3_000n],
    ['1d 3 foos', DAY],
  ])('%s', (text, ns) => {
    expect(readWordedDuration(text)).toBe(ns);
  });

  it.each(['', '1', '1.5d', '-1d', 'P1D', '3 foos', '1d;', '9999999999999999999d'])('do not include %j', (text) => {
    expect(readWordedDuration(text)).toBeUndefined();
  });
});
