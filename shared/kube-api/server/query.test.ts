import { describe, expect, it } from 'vitest';
import { readFlag } from './query.ts';

describe('a flag of a query', () => {
  it.each([
    ['', false],
    ['watch=false', false],
    ['watch=False', false],
    ['watch=FALSE', false],
    ['watch=0', false],
    ['watch', true],
    ['watch=', true],
    ['watch=1', true],
    ['watch=True', true],
    ['watch=no', true],
  ])('"%s" is %s', (query, expected) => {
    expect(readFlag(new URLSearchParams(query), 'watch')).toBe(expected);
  });
});
