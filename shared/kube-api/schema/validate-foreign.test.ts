import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { Work } from '../work.ts';
import { validateForeign } from './validate-foreign.ts';

const MANY = 5000;

const many = (part: (index: number) => OpenApiSchema): OpenApiSchema[] =>
  Array.from({ length: MANY }, (_, index) => part(index));

const STOPPED = [expect.objectContaining({ detail: expect.stringContaining('takes too many steps') })];

const LONG = 'a'.repeat(1_000_000);
const LIST = Array.from({ length: 20_000 }, (_, index) => index);

describe('a schema that a user wrote', () => {
  it.each<[string, OpenApiSchema, unknown, unknown?]>([
    ['thousands of patterns for a long text', { type: 'string', anyOf: many((it) => ({ pattern: `b${it}$` })) }, LONG],
    ['one pattern thousands of times', { type: 'string', allOf: many(() => ({ pattern: '(x+x+)+y|a' })) }, LONG],
    ['thousands of formats for a long text', { type: 'string', allOf: many(() => ({ format: 'byte' })) }, LONG],
    [
      'thousands of alternatives for a long list',
      { type: 'array', anyOf: many(() => ({ items: { minimum: 1 } })) },
      LIST,
    ],
    ['thousands of searches for duplicates', { type: 'array', allOf: many(() => ({ uniqueItems: true })) }, LIST],
    [
      'thousands of patterns for each item, which are compiled again and again',
      { type: 'array', items: { type: 'string', allOf: many((it) => ({ pattern: `^(a|${it})` })) } },
      LIST.map(() => 'a'),
    ],
  ])('is refused with %s', { timeout: 30_000 }, (_, schema, value) => {
    const start = performance.now();
    expect(validateForeign(schema, value)).toEqual(STOPPED);
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it('counts a long text once for all its alternatives', { timeout: 30_000 }, () => {
    const schema: OpenApiSchema = { type: 'string', allOf: many(() => ({ maxLength: 600_000 })) };
    const start = performance.now();
    expect(validateForeign(schema, '\u{1F600}'.repeat(500_000))).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('compares a large value once for all its alternatives', { timeout: 30_000 }, () => {
    const part = { properties: { list: { minItems: 1 } } };
    const schema: OpenApiSchema = { type: 'object', allOf: many(() => part) };
    const value = { list: LIST, n: 1 };
    const start = performance.now();
    expect(validateForeign(schema, value, { old: structuredClone({ ...value, n: 2 }) })).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('may have a few patterns for long texts, and for many texts', () => {
    const texts = LIST.map((index) => `name-${index}`);
    const name = { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' } as const;
    expect(validateForeign({ type: 'array', items: name }, texts)).toEqual([]);
    expect(validateForeign({ type: 'string', anyOf: [{ pattern: '^b' }, { pattern: '^[a-z]+$' }] }, LONG)).toEqual([]);
  });

  it('shares its limit with the other values of the request', { timeout: 30_000 }, () => {
    const work = new Work();
    const schema: OpenApiSchema = { type: 'string', pattern: '^[a-z]+$' };
    const results = Array.from({ length: 40 }, () => validateForeign(schema, LONG, { work }));
    expect(results[0]).toEqual([]);
    expect(results.at(-1)).toEqual(STOPPED);
  });
});
