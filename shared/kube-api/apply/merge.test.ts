import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { setOf } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { writeFieldsV1 } from './fields-v1.ts';
import { merge } from './merge.ts';
import { remove, withNamedFields } from './remove.ts';
import { fieldSchema } from './shape.ts';
import { THINGS } from './test-scenario.ts';

const schema = fieldSchema(THINGS.schema, 'spec');

describe('merging', () => {
  it.each<[string, unknown, unknown, unknown]>([
    [
      'objects field by field',
      { size: 1, nested: { a: 1 } },
      { nested: { b: { c: 2 } } },
      { size: 1, nested: { a: 1, b: { c: 2 } } },
    ],
    ['an atomic list as a whole', { args: ['a', 'b'] }, { args: ['c'] }, { args: ['c'] }],
    ['an atomic map as a whole', { selector: { match: { a: 'b' } } }, { selector: {} }, { selector: {} }],
    ['sets by value', { zones: ['a', 'b'] }, { zones: ['c', 'b'] }, { zones: ['a', 'c', 'b'] }],
    [
      'keyed lists by their keys, including defaults',
      {
        ports: [
          { port: 80, protocol: 'TCP', name: 'web' },
          { port: 53, protocol: 'UDP' },
        ],
      },
      { ports: [{ port: 80, tags: { a: 1 } }] },
      {
        ports: [
          { port: 80, protocol: 'TCP', name: 'web', tags: { a: 1 } },
          { port: 53, protocol: 'UDP' },
        ],
      },
    ],
    [
      'free-form maps deeply, their lists as a whole',
      { free: { a: { b: 1 }, l: [1] } },
      { free: { a: { c: 2 }, l: [2] } },
      { free: { a: { b: 1, c: 2 }, l: [2] } },
    ],
    [
      'a free-form value of another type by replacing it',
      { free: { a: { b: 1 } } },
      { free: { a: 'x' } },
      { free: { a: 'x' } },
    ],
    ['null over a scalar', { size: 1 }, { size: null }, { size: null }],
    ['null over a map by keeping its parts', { nested: { a: 1 } }, { nested: null }, { nested: { a: 1 } }],
    ['null over a set by keeping its values', { zones: ['a'] }, { zones: null }, { zones: ['a'] }],
    ['an empty map over null', { nested: null }, { nested: {} }, { nested: {} }],
  ])('handles %s', (_what, live, config, merged) => {
    expect(merge(schema, live, config)).toEqual(merged);
  });

  it('keeps items that are only in the live list in place, and otherwise the order of the config', () => {
    const live = { zones: ['a', 'x', 'b', 'y', 'c'] };
    expect(merge(schema, live, { zones: ['b', 'new', 'a'] })).toEqual({ zones: ['x', 'b', 'y', 'c', 'new', 'a'] });
    expect(merge(schema, live, { zones: ['a', 'b', 'c'] })).toEqual(live);
  });

  it('does not change duplicates of the live list until the config names them', () => {
    const live = { zones: ['a', 'b', 'a'] };
    expect(merge(schema, live, { zones: ['b'] })).toEqual(live);
    expect(merge(schema, live, { zones: ['a'] })).toEqual({ zones: ['a', 'b'] });
  });

  it('treats __proto__ as an ordinary member, without prototype pollution', () => {
    const merged = merge(schema, { free: { a: 1 } }, { free: JSON.parse('{"__proto__":{"polluted":true}}') });
    expect(Object.keys((merged as { free: object }).free)).toEqual(['a', '__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the fields that a config owns', () => {
  it.each<[string, unknown, unknown]>([
    ['leaves, not the structure above', { nested: { b: { c: 1 } } }, { 'f:nested': { 'f:b': { 'f:c': {} } } }],
    ['keys of maps', { labels: { a: 'b' } }, { 'f:labels': { 'f:a': {} } }],
    ['a free-form object and its members', { free: { a: { b: 1 } } }, { 'f:free': { 'f:a': { '.': {}, 'f:b': {} } } }],
    [
      'items and their fields',
      { ports: [{ port: 1 }] },
      { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
    ],
    ['values of sets', { zones: ['a'] }, { 'f:zones': { 'v:"a"': {} } }],
    ['atomic values as a whole', { args: [], selector: { match: {} } }, { 'f:args': {}, 'f:selector': {} }],
    ['empty maps and nulls', { nested: {}, size: null }, { 'f:nested': {}, 'f:size': {} }],
    ['no empty keyed lists', { zones: [], ports: [] }, {}],
    [
      'duplicate items as a whole',
      {
        ports: [
          { port: 1, name: 'a' },
          { port: 1, name: 'b' },
        ],
      },
      { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} } },
    ],
  ])('are %s', (_what, config, fields) => {
    expect(writeFieldsV1(fieldSetOf(schema, config))).toEqual(fields);
  });
});

describe('comparing', () => {
  const changes = (live: unknown, next: unknown) => {
    const { added, modified, removed } = compare(schema, live, next);
    return { added: writeFieldsV1(added), modified: writeFieldsV1(modified), removed: writeFieldsV1(removed) };
  };
  const none = { added: {}, modified: {}, removed: {} };

  it('reports added fields with their structure, modified fields and removed fields', () => {
    expect(changes({ size: 1, color: 'red' }, { size: 2, nested: { a: 1 } })).toEqual({
      added: { 'f:nested': { '.': {}, 'f:a': {} } },
      modified: { 'f:size': {} },
      removed: { 'f:color': {} },
    });
  });

  it('matches items by their keys, whatever their order', () => {
    const [web, dns] = [{ port: 80 }, { port: 53, protocol: 'UDP' }];
    expect(changes({ ports: [web, dns] }, { ports: [dns, { ...web, protocol: 'TCP' }] })).toEqual({
      ...none,
      added: { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:protocol': {} } } },
    });
  });

  it('treats null as an empty map, but reports a change from one to the other', () => {
    expect(changes({ nested: null }, { nested: { a: 1 } })).toEqual({ ...none, added: { 'f:nested': { 'f:a': {} } } });
    expect(changes({ nested: null }, { nested: {} })).toEqual({ ...none, modified: { 'f:nested': {} } });
  });

  it('detects a free-form value whose type changes', () => {
    expect(changes({ free: { a: { b: 1 } } }, { free: { a: 'x' } })).toEqual({
      ...none,
      modified: { 'f:free': { 'f:a': {} } },
      removed: { 'f:free': { 'f:a': { 'f:b': {} } } },
    });
  });

  it('treats duplicates as one value', () => {
    expect(changes({ zones: ['a', 'a'] }, { zones: ['a', 'a'] })).toEqual(none);
    expect(changes({ zones: ['a', 'a', 'a'] }, { zones: ['a', 'a'] })).toEqual({
      ...none,
      modified: { 'f:zones': { 'v:"a"': {} } },
    });
    expect(changes({ zones: ['a', 'a'] }, {})).toMatchObject({ removed: { 'f:zones': { '.': {}, 'v:"a"': {} } } });
  });
});

describe('comparing an item', () => {
  const port = (name: string) => ({ port: 1, name });
  const whole = { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} } };
  const parts = { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } } };
  const changes = (live: object[], next: object[]) => {
    const { added, modified, removed } = compare(schema, { ports: live }, { ports: next });
    return { added: writeFieldsV1(added), modified: writeFieldsV1(modified), removed: writeFieldsV1(removed) };
  };

  it('that is duplicated removes its parts and adds the duplicates as a whole', () => {
    expect(changes([port('a')], [port('a'), port('b')])).toEqual({ added: whole, modified: {}, removed: parts });
    expect(changes([], [port('a'), port('b')])).toEqual({ added: whole, modified: {}, removed: {} });
  });

  it('that was duplicated adds its parts and removes the duplicates as a whole', () => {
    expect(changes([port('a'), port('b')], [port('a')])).toEqual({ added: parts, modified: {}, removed: whole });
    expect(changes([port('a'), port('b')], [])).toEqual({ added: {}, modified: {}, removed: whole });
  });
});

describe('removing', () => {
  it('removes members, and parents that become empty', () => {
    const value = { size: 1, nested: { b: { c: 1 } }, zones: ['a', 'b'], labels: {} };
    const set = setOf(['f:nested', 'f:b', 'f:c'], ['f:zones', 'v:"a"']);
    expect(remove(schema, value, set)).toEqual({ size: 1, zones: ['b'], labels: {} });
  });

  it('removes nothing from an atomic value', () => {
    expect(remove(schema, { args: ['a'] }, setOf(['f:args', 'v:"a"']))).toEqual({ args: ['a'] });
  });

  it('includes declared parents of a field, but not keys of maps', () => {
    const set = setOf(['f:nested', 'f:b', 'f:c'], ['f:free', 'f:a', 'f:b']);
    expect(writeFieldsV1(withNamedFields(schema, set))).toEqual({
      'f:free': { '.': {}, 'f:a': { 'f:b': {} } },
      'f:nested': { '.': {}, 'f:b': { '.': {}, 'f:c': {} } },
    });
  });
});
