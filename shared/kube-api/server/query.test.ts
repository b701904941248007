import { describe, expect, it } from 'vitest';
import { isDryRun, queryOf, readFlag } from './query.ts';

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

describe('the parameters of a URL', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a=1;b=2', { a: '1', b: '2' }, 'a semicolon separates parameters'],
    ['a=1%3Bb=2', { a: '1;b=2' }, 'an encoded semicolon does not'],
    ['a=%zz', { a: '%zz' }, 'an invalid encoding is kept, so that no selector is lost'],
  ])('of %s are %j: %s', (query, parameters) => {
    expect(Object.fromEntries(queryOf(`https://test/?${query}`))).toEqual(parameters);
  });
});

describe('a dry run', () => {
  it('is requested only by the value All', () => {
    expect([isDryRun([], 'CreateOptions'), isDryRun(['All', 'All'], 'CreateOptions')]).toEqual([false, true]);
  });

  it.each([[['']], [['All', '']], [['all']]])(
    'is refused with the values %j, so that no real write is made',
    (values) => {
      expect(() => isDryRun(values, 'CreateOptions')).toThrow('dryRun: Unsupported value');
    },
  );
});
