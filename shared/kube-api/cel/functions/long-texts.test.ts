import { expect, it } from 'vitest';
import { parseDouble } from './parse-double.ts';
import { parseDuration } from './time.ts';

const LONG = `${'0'.repeat(4_000_000)}!`;

it.each([
  ['double', () => expect(parseDouble(LONG)).toBeUndefined()],
  ['duration', () => expect(() => parseDuration(LONG)).toThrow('type conversion error')],
  // A quadratic implementation would exceed the test's timeout.
])('a long row of digits is not a %s', (_, refuse) => {
  refuse();
});

it('digits may end with a point', () => {
  expect(parseDouble('1.')).toBe(1);
  expect(parseDuration('1.s')).toEqual(parseDuration('1s'));
});
