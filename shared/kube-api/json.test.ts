import { describe, expect, it } from 'vitest';
import { withoutUndefined } from './json.ts';

describe('withoutUndefined', () => {
  it.each([
    { a: undefined, b: { c: undefined, d: [{ e: undefined }, 1] } },
    { a: [undefined, { b: 1 }] },
    JSON.parse('{"__proto__":{"a":1}}') as object,
    { ['__proto__']: { a: undefined } },
    null,
    'text',
    [],
  ])('returns the same as a JSON round trip of %j', (value) => {
    expect(withoutUndefined(value)).toStrictEqual(JSON.parse(JSON.stringify(value)));
  });

  it('returns a value that contains nothing undefined unchanged', () => {
    const value = { a: { b: [{ c: null }] }, d: { e: undefined } };

    const found = withoutUndefined(value);

    expect(found.a).toBe(value.a);
    expect(withoutUndefined(value.a)).toBe(value.a);
    expect(value).toHaveProperty('d.e');
  });
});
