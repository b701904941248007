import { describe, expect, it } from 'vitest';
import { difference, equals, firstPathsOf, intersection, isEmpty, setOf, union } from './field-set.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import { describePath, keyElement, readElement, valueElement } from './path-element.ts';

const spec = (...names: string[]) => setOf(...names.map((name) => ['f:spec', `f:${name}`]));

describe('sets of fields', () => {
  it('form unions, intersections and differences member by member', () => {
    const [a, b] = [spec('x', 'y'), spec('y', 'z')];
    expect(writeFieldsV1(union(a, b))).toEqual({ 'f:spec': { 'f:x': {}, 'f:y': {}, 'f:z': {} } });
    expect(writeFieldsV1(intersection(a, b))).toEqual({ 'f:spec': { 'f:y': {} } });
    expect(writeFieldsV1(difference(a, b))).toEqual({ 'f:spec': { 'f:x': {} } });
    expect(isEmpty(difference(a, a))).toBe(true);
  });

  it('distinguish a field from its contents', () => {
    const parent = setOf(['f:spec']);
    const both = union(parent, spec('x'));
    expect(writeFieldsV1(both)).toEqual({ 'f:spec': { '.': {}, 'f:x': {} } });
    expect(writeFieldsV1(difference(both, parent))).toEqual({ 'f:spec': { 'f:x': {} } });
    expect(isEmpty(intersection(parent, spec('x')))).toBe(true);
  });

  it('are returned unchanged by a difference that removes nothing', () => {
    const set = spec('x');
    expect(difference(set, spec('y'))).toBe(set);
    expect(equals(set, spec('x'))).toBe(true);
    expect(equals(set, spec('y'))).toBe(false);
  });
});

describe('FieldsV1', () => {
  it('is written back unchanged, but sorted', () => {
    const fields = {
      'f:spec': {
        'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {} } },
        'f:zones': { 'v:"a"': {}, 'v:"b"': {} },
        'i:0': {},
      },
    };
    const set = readFieldsV1({ 'f:spec': Object.fromEntries(Object.entries(fields['f:spec']).toReversed()) });
    expect(JSON.stringify(set && writeFieldsV1(set))).toBe(JSON.stringify(fields));
  });

  it('accepts the keys of an item in any order, and writes them in a fixed order', () => {
    expect(readElement('k:{"b":1,"a":"x"}')).toBe('k:{"a":"x","b":1}');
    expect(keyElement({ b: 1, a: 'x' })).toBe('k:{"a":"x","b":1}');
  });

  it.each([
    ['a list', []],
    ['an unknown element', { 'x:spec': {} }],
    ['a broken key', { 'k:{"a"': {} }],
    ['a key that is not an object', { 'k:3': {} }],
    ['a broken value', { 'v:{': {} }],
    ['a leaf that is not an object', { 'f:spec': true }],
    ['too many levels', JSON.parse(`${'{"f:a":'.repeat(600)}{}${'}'.repeat(600)}`)],
  ])('is not read from %s', (_what, fields) => {
    expect(readFieldsV1(fields)).toBeUndefined();
  });

  it('treats __proto__ as an ordinary name', () => {
    const set = readFieldsV1(JSON.parse('{"f:__proto__":{"f:polluted":{}}}'));
    expect(set && firstPathsOf(set, 2)).toEqual([['f:__proto__', 'f:polluted']]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('paths', () => {
  it('are written as in conflict messages', () => {
    const item = keyElement({ key: 'a', effect: 'NoSchedule' });
    expect(describePath(['f:spec', 'f:taints', item, 'f:value'])).toBe(
      '.spec.taints[effect="NoSchedule",key="a"].value',
    );
    expect(describePath(['f:zones', valueElement('a')])).toBe('.zones[="a"]');
    expect(describePath(['f:list', 'i:3'])).toBe('.list[3]');
  });
});
