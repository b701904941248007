import { expect, it } from 'vitest';
import { applyFilters, isKeyFilter, wildcard } from './filters.ts';

const rows = [
  { id: 'a', ports: ['1', '2'], tags: new Map([['Name', 'one']]) },
  {
    id: 'b',
    ports: [],
    tags: new Map([
      ['Name', 'two'],
      ['env', ''],
    ]),
  },
  { id: 'c', ports: ['2'], tags: new Map<string, string>() },
];
const fields = {
  id: (row: (typeof rows)[number]) => row.id,
  port: (row: (typeof rows)[number]) => row.ports,
  isFirst: (row: (typeof rows)[number]) => row.id === 'a',
};
const found = (...filters: { Name: string; Values: string[] }[]) =>
  applyFilters(rows, filters, fields).map(({ id }) => id);

it('requires that one value of each filter matches', () => {
  expect(found({ Name: 'id', Values: ['a', 'c'] })).toEqual(['a', 'c']);
  expect(found({ Name: 'id', Values: ['a', 'c'] }, { Name: 'port', Values: ['2'] })).toEqual(['a', 'c']);
  expect(found({ Name: 'id', Values: ['b'] }, { Name: 'port', Values: ['2'] })).toEqual([]);
  expect(found({ Name: 'isFirst', Values: ['true'] })).toEqual(['a']);
});

it('filters by tags, by tag keys and by tag values', () => {
  expect(found({ Name: 'tag:Name', Values: ['two'] })).toEqual(['b']);
  expect(found({ Name: 'tag:env', Values: [''] })).toEqual(['b']);
  expect(found({ Name: 'tag-key', Values: ['Name'] })).toEqual(['a', 'b']);
  expect(found({ Name: 'tag-value', Values: ['o*'] })).toEqual(['a']);
});

it('refuses an unknown filter', () => {
  expect(() => found({ Name: 'colour', Values: ['red'] })).toThrow("The filter 'colour' is invalid");
});

it('filters only by tag keys for a call that supports no other tag filters', () => {
  const foundBy = (Name: string, value: string) => applyFilters(rows, [{ Name, Values: [value] }], fields, isKeyFilter);

  expect(foundBy('tag-key', 'env').map(({ id }) => id)).toEqual(['b']);
  expect(() => foundBy('tag:Name', 'two')).toThrow("The filter 'tag:Name' is invalid");
});

it.each([
  ['v?.34.*', 'v1.34.0-x', true],
  ['v?.34.*', 'v1.34', false],
  ['a.c', 'abc', false],
  ['a\\*c', 'a*c', true],
  ['a\\*c', 'abc', false],
  ['(x)+[y]', '(x)+[y]', true],
  ['*', 'two\nlines', true],
])('treats %j as a pattern for %j: %s', (pattern, text, fits) => {
  expect(wildcard(pattern).test(text)).toBe(fits);
});

it('accepts 200 values in a filter, and no more', () => {
  const values = (count: number) => Array.from({ length: count }, (_none, index) => `${index}`);
  expect(found({ Name: 'id', Values: [...values(199), 'a'] })).toEqual(['a']);
  expect(() => found({ Name: 'id', Values: [...values(200), 'a'] })).toThrow('200');
});
