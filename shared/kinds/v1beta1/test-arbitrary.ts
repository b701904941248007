import fc from 'fast-check';
import type { OpenApiSchema } from '../../kube-api/resource.ts';

/** For tests: JSON values that match a structural schema. They are small, with many empty and zero values. */
export const arbitraryOf = (schema: OpenApiSchema): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string']) return fc.constantFrom(0, 1, '0', schema.pattern ? '100m' : '25%');
  if (schema['x-kubernetes-preserve-unknown-fields']) return fc.constantFrom('', 0, false, { a: [null] }, []);
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') return countOf(schema);
  if (schema.type === 'array') return listOf(schema);
  if (typeof schema.additionalProperties === 'object') {
    return fc.dictionary(fc.constantFrom('a', 'b', 'v'), arbitraryOf(schema.additionalProperties), {
      maxKeys: 2,
      noNullPrototype: true,
    });
  }
  return objectOf(schema);
};

const objectOf = ({ properties = {}, required = [], minProperties = 0 }: OpenApiSchema): fc.Arbitrary<unknown> => {
  const members = Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, arbitraryOf(member)]));
  const whole = fc.record(members, { requiredKeys: required, noNullPrototype: true });
  return minProperties === 0 ? whole : whole.filter((value) => Object.keys(value).length >= minProperties);
};

const TEXTS = ['', '0', '0s', '500ms', '5m', '1h0m0s', '720h', 'a', 'name-1', 'example.com/v1', 'v1', '[1-3]', 'QQ=='];
const TIMES = ['2026-01-02T03:04:05Z', '2027-01-02T03:04:05Z'];

/** Words that match the pattern; every pattern in the kinds allows some of them. */
const textOf = ({ format, pattern, minLength = 0, maxLength = 99 }: OpenApiSchema): fc.Arbitrary<string> => {
  if (format === 'date-time') return fc.constantFrom(...TIMES);
  const fits = (text: string): boolean =>
    text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern).test(text));
  return fc.constantFrom(...(format === 'byte' ? ['QQ=='] : TEXTS.filter(fits)));
};

const countOf = ({ minimum = 0, maximum = 9 }: OpenApiSchema): fc.Arbitrary<number> =>
  fc.constantFrom(minimum, Math.min(minimum + 1, maximum), Math.min(minimum + 90, maximum));

const listOf = (schema: OpenApiSchema): fc.Arbitrary<unknown> => {
  const { items = {}, minItems: minLength = 0, maxItems = 3 } = schema;
  const maxLength = Math.min(maxItems, Math.max(minLength, 2));
  const keys = schema['x-kubernetes-list-map-keys'];
  const selector = (item: unknown) => JSON.stringify(keys?.map((key) => (item as Record<string, unknown>)[key]));
  return keys
    ? fc.uniqueArray(arbitraryOf(items), { minLength, maxLength, selector })
    : fc.array(arbitraryOf(items), { minLength, maxLength });
};
