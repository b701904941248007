import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../../../shared/kube-api/resource.ts';
import { compare } from './compare.ts';
import { flatten } from './flatten.ts';

const schema = (spec: object): OpenApiSchema => ({ type: 'object', properties: { spec: spec as OpenApiSchema } });

const differences = (upstream: object, ours: object) =>
  compare('Any/v1', flatten(schema(upstream)), flatten(schema(ours))).map(
    ({ path, attribute, upstream: theirs, ours: own }) => [path, attribute, theirs, own],
  );

const text = { type: 'string' };

describe('comparing two schemas', () => {
  it.each([
    ['a description', { ...text, description: 'a' }, text],
    ['the list type that absence means', { type: 'array', 'x-kubernetes-list-type': 'atomic' }, { type: 'array' }],
    ['a limit that allows everything', { ...text, minLength: 0 }, text],
    ['the order of an enum', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['b', 'a'] }],
    [
      'two limits that both hold',
      { ...text, allOf: [{ maxLength: 9, minLength: 1 }, { maxLength: 5 }] },
      { ...text, maxLength: 5, minLength: 1 },
    ],
  ])('finds nothing in %s', (_, upstream, ours) => {
    expect(differences(upstream, ours)).toEqual([]);
  });

  it('finds keywords with other values, even in lists and maps', () => {
    const nested = (maxLength: number) => ({
      properties: {
        list: { items: { properties: { a: { ...text, maxLength } } } },
        map: { additionalProperties: { ...text, maxLength } },
      },
    });
    expect(differences(nested(5), nested(6))).toEqual([
      ['.spec.list[].a', 'maxLength', 5, 6],
      ['.spec.map{}', 'maxLength', 5, 6],
    ]);
  });

  it('finds a keyword that one side does not have', () => {
    expect(differences({ ...text, enum: [''], default: '' }, text)).toEqual([
      ['.spec', 'enum', [''], undefined],
      ['.spec', 'default', '', undefined],
    ]);
    expect(differences({ type: 'array' }, { type: 'array', 'x-kubernetes-list-type': 'set' })).toEqual([
      ['.spec', 'x-kubernetes-list-type', undefined, 'set'],
    ]);
  });

  it('finds a field that is missing on either side once, without the fields below it', () => {
    const field = { properties: { a: { properties: { b: text } }, c: text } };
    const without = { properties: { c: text } };
    expect(differences(field, without)).toEqual([['.spec.a', 'field', true, false]]);
    expect(differences(without, field)).toEqual([['.spec.a', 'field', false, true]]);
  });

  it('distinguishes CEL rules without repeating them', () => {
    const rule = (cel: string) => ({ ...text, 'x-kubernetes-validations': [{ rule: cel }] });
    const [[, attribute, theirs, own] = []] = differences(rule('self == 1'), rule('self == 2'));
    expect(attribute).toBe('x-kubernetes-validations');
    expect([theirs, own]).toEqual([[expect.stringMatching(/^[0-9a-f]{8}$/)], [expect.stringMatching(/^[0-9a-f]{8}$/)]]);
  });
});
