import { expect, it } from 'vitest';
import { DURATION, seconds } from './duration.ts';
import type { Context } from './rules.ts';

const CONTEXT = {} as Context;

it.each([
  ['5m0s', 300],
  ['-1h', -3600],
  ['0', 0],
  ['.5h', 1800],
  ['5', undefined],
  ['1h0', undefined],
])('a v1beta1 duration is read as in Go: %s', (text, value) => {
  expect(seconds.toNew(text, CONTEXT)).toBe(value);
});

/** A quadratic expression would exceed the test's timeout. */
it('a long row of zeros is not a v1beta1 duration', () => {
  expect(new RegExp(DURATION).test(`${'0'.repeat(2_000_000)}!`)).toBe(false);
});
