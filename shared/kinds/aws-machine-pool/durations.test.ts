import { expect, it } from 'vitest';
import { secondsOf } from './durations.ts';

it.each([
  ['1h30m', 5400],
  ['-1.5s', -1.5],
  ['.5m', 30],
  ['5.m', 300],
  ['0', 0],
  ['5', undefined],
  ['', undefined],
])('secondsOf parses %s', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

/** A quadratic expression would exceed the test's timeout. */
it('secondsOf refuses a very long invalid duration', () => {
  expect(secondsOf(`${'0'.repeat(2_000_000)}!`)).toBeUndefined();
});
