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
  ])('leaves what JSON leaves of %j', (value) => {
    expect(withoutUndefined(value)).toStrictEqual(JSON.parse(JSON.stringify(value)));
  });

  it('returns what has nothing to leave out as it is', () => {
    const value = { a: { b: [{ c: null }] }, d: { e: undefined } };

    const found = withoutUndefined(value);

    expect(found.a).toBe(value.a);
    expect(withoutUndefined(value.a)).toBe(value.a);
    expect(value).toHaveProperty('d.e');
  });
});
