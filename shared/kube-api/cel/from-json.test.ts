import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { validateRules } from './rules.ts';

const text: OpenApiSchema = { type: 'string' };

const details = (properties: Record<string, OpenApiSchema>, value: object, ...rules: string[]): string[] =>
  validateRules(
    { type: 'object', properties, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) },
    value,
    undefined,
  ).map(({ detail }) => detail);

describe('durations', () => {
  const FIELDS = { ttl: { ...text, format: 'duration' } };

  it.each([
    ['1d', "self.ttl == duration('24h')"],
    ['2 weeks', "self.ttl == duration('336h')"],
    ['1h30m', "self.ttl == duration('90m')"],
  ])('%s', (ttl, rule) => {
    expect(details(FIELDS, { ttl }, rule)).toEqual([]);
  });
});

describe('texts that cannot be read', () => {
  const time: OpenApiSchema = { ...text, format: 'date-time' };
  const FIELDS = { n: { type: 'integer' }, at: time, all: { type: 'array', items: time } } as const;
  const LOWER = '2021-01-01t00:00:00z';
  const VALUE = { n: 1, at: LOWER, all: ['2021-01-01T00:00:00Z', LOWER] };

  it('do not affect rules that do not need them', () => {
    const rules = ['self.n == 1', 'has(self.at)', 'self.all.size() == 2', 'self.?at.hasValue()'];
    expect(details(FIELDS, VALUE, ...rules, "self.all[0] > timestamp('2020-01-01T00:00:00Z')")).toEqual([]);
    expect(details(FIELDS, VALUE, "self.all.exists(t, t > timestamp('2020-01-01T00:00:00Z'))")).toEqual([]);
  });

  it.each([
    "self.at > timestamp('2020-01-01T00:00:00Z')",
    "self.?at.orValue(timestamp('2020-01-01T00:00:00Z')) == timestamp('2020-01-01T00:00:00Z')",
    "self.?at.value() == timestamp('2020-01-01T00:00:00Z')",
    'self.all[1] == self.all[0]',
    'self.all == self.all',
    "self.all.all(t, t > timestamp('2020-01-01T00:00:00Z'))",
    "timestamp('2020-01-01T00:00:00Z') in self.all",
    'self == self',
  ])('cause an error in %s', (rule) => {
    const why = `Invalid date-time formatted string ${LOWER}: it cannot be read`;
    expect(details(FIELDS, VALUE, rule)).toEqual([`${why} evaluating rule: ${rule}`]);
  });

  it('cause an error in a rule on the text itself', () => {
    const at = { ...time, 'x-kubernetes-validations': [{ rule: "self > timestamp('2020-01-01T00:00:00Z')" }] };
    expect(validateRules({ type: 'object', properties: { at } }, VALUE, undefined)).toEqual([
      expect.objectContaining({ type: 'FieldValueInvalid', field: 'at', badValue: 'string' }),
    ]);
  });
});

describe('lists without a significant order', () => {
  const item: OpenApiSchema = {
    type: 'object',
    properties: { 'a-b': text, v: { type: 'integer' }, w: { type: 'integer' } },
  };
  const FIELDS: Record<string, OpenApiSchema> = {
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    days: { type: 'array', items: { ...text, format: 'duration' }, 'x-kubernetes-list-type': 'set' },
    map: {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a-b', 'v'],
    },
    list: { type: 'array', items: text },
    nested: { type: 'object', properties: { set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } } },
  };
  const one = { 'a-b': 'x', v: 1, w: 1 };
  const two = { 'a-b': 'x', v: 2, w: 2 };
  const VALUE = { set: ['a', 'b'], days: ['1d', '2h'], map: [one, two], list: ['a', 'b'], nested: { set: ['a', 'b'] } };
  const TURNED = { ...VALUE, set: ['b', 'a'], map: [two, one], nested: { set: ['b', 'a'] } };

  it.each([
    "self.set == ['b', 'a'] && self.set != ['a', 'c'] && self.set != ['a'] && self.set != ['a', 'a']",
    "self.days == [duration('2h'), duration('24h')]",
    "self.list != ['b', 'a'] && ['b', 'a'] != self.set",
    "self.set + ['c', 'a', 'c'] == ['c', 'b', 'a'] && (self.set + ['a', 'z']).size() == 3",
    "(self.set + ['z'])[2] == 'z' && (self.list + ['a']).size() == 3 && (['a'] + self.set).size() == 3",
    '(self.map + self.map).size() == 2 && (self.map + self.map)[0].w == 1',
  ])('%s', (rule) => {
    expect(details(FIELDS, VALUE, rule)).toEqual([]);
  });

  const compared = (value: object, rule = 'self == oldSelf') =>
    validateRules({ type: 'object', properties: FIELDS, 'x-kubernetes-validations': [{ rule }] }, value, VALUE);

  it('equal lists in another order if all their items are equal', () => {
    expect(compared(TURNED)).toEqual([]);
    expect(compared({ ...TURNED, map: [two, { ...one, w: 3 }] })).toHaveLength(1);
    expect(compared({ ...TURNED, map: [two, { ...one, v: 3 }] })).toHaveLength(1);
    expect(compared({ ...TURNED, set: ['b', 'c'] })).toHaveLength(1);
    expect(compared({ ...VALUE, list: ['b', 'a'] })).toHaveLength(1);
  });

  it('are added by replacing items with the items of the right list that have the same keys', () => {
    const more = {
      ...VALUE,
      map: [
        { ...one, v: 3 },
        { ...one, w: 9 },
      ],
    };
    expect(compared(more, '(oldSelf.map + self.map).map(i, i.w) == [9, 2, 1]')).toEqual([]);
  });

  // A quadratic comparison would exceed the test's timeout.
  it('are compared in linear time', () => {
    const many = Array.from({ length: 400_000 }, (_, index) => `${index}`);
    expect(compared({ ...VALUE, set: many }, 'self.set == self.set')).toEqual([]);
  });
});
