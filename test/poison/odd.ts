/** Odd values that a schema accepts, but that readers may not expect. */
import fc from 'fast-check';
import type { OpenApiSchema } from '../../shared/kube-api/resource.ts';

/** Each of these has made some parser throw, loop or wrongly accept it. */
export const ODD_TEXTS = [
  ...['', ' ', '\n', '{', '}', '[]', '{}', 'null', '"', '[{}]', '{"a":', '{"at":1}', '{"request":{}}', '[null]'],
  ...['__proto__', 'constructor', 'toString', 'NaN', 'Infinity', '-1', '0', '1e309', '99999999999999999999', '0x10'],
  ...['=', ',', '==', 'a=b=c', 'a=', ',,', 'network=x', 'Report', 'Repair,Repair', '%', '%zz', '../..', '/', '//'],
  ...['{{', '{{.}}', '{{ ds.meta_data }}', '- a: [', 'a: &a [*a]', '!!js/function x', '---', '#cloud-config', '\t:'],
  ...[
    'v1.99999999999.0',
    'v1.34.0+x',
    'v0.0.0',
    'vX',
    'v1.35.0',
    '::',
    '::/0',
    '0.0.0.0/0',
    '10.0.0.0/99',
    '999.1.1.1',
  ],
  ...[
    'https://',
    'http://127.0.0.1:1',
    'i-0',
    'i-',
    'vpc-',
    'vpc-0',
    'sg-0',
    'subnet-0',
    'ami-',
    'aws:///',
    'aws:////',
  ],
  ...['2026-13-99T99:99:99Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:59Z', '-PT1S', '1h', '-1h', '5', '0%', '101%'],
  ...[
    '🦄',
    '\u202e',
    'ä'.repeat(63),
    'x'.repeat(63),
    'x'.repeat(253),
    'x'.repeat(5000),
    'true',
    'false',
    'default',
    'red',
  ],
] as const;

const ODD_NUMBERS = [0, 1, -1, 2, 65_535, 65_536, 2_147_483_647, -2_147_483_648, Number.MAX_SAFE_INTEGER];

const PLAIN = [
  'a',
  'name-1',
  'v1.34.0',
  '10.0.0.0/16',
  't3.large',
  '5m',
  '2026-01-02T03:04:05Z',
  'QQ==',
  'e30=',
  'ew==',
];

const textOf = ({ format, pattern, minLength = 0, maxLength = 10_000 }: OpenApiSchema): fc.Arbitrary<unknown> => {
  const fits = (text: string): boolean =>
    text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text));
  const texts = [...ODD_TEXTS, ...PLAIN].filter(fits);
  const encoded = ODD_TEXTS.map((text) => Buffer.from(text).toString('base64'));
  return fc.constantFrom(...(format === 'byte' ? encoded : texts.length > 0 ? texts : ['a']));
};

const safely = (make: () => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.constant(null).chain(make);

/** Odd values that a schema is likely to admit. */
export const oddOf = (schema: OpenApiSchema): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string']) return fc.constantFrom(0, -1, 99, '0', '101%', '-5%', '', 'x', '1%%');
  if (schema['x-kubernetes-preserve-unknown-fields'])
    return fc.constantFrom('', 0, false, { a: [null] }, [], { __proto: 1 });
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    const inside = ODD_NUMBERS.filter((value) => value >= minimum && value <= maximum);
    return fc.constantFrom(...(inside.length > 0 ? inside : [minimum]));
  }
  if (schema.type === 'array') {
    const { items = {}, minItems: minLength = 0, maxItems = 3 } = schema;
    return safely(() => fc.array(oddOf(items), { minLength, maxLength: Math.max(minLength, Math.min(maxItems, 3)) }));
  }
  const { additionalProperties: of } = schema;
  if (typeof of === 'object') {
    return safely(() =>
      fc.dictionary(fc.constantFrom('a', '', '__proto__', 'x/y', ...PLAIN), oddOf(of), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    );
  }
  const members = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  return safely(() =>
    fc.record(Object.fromEntries(members.map(([key, member]) => [key, oddOf(member)])), {
      requiredKeys: required.filter((key) => members.some(([name]) => name === key)),
      noNullPrototype: true,
    }),
  );
};

interface Place {
  path: string[];
  schema: OpenApiSchema;
}

/** Every field below `schema` that a merge patch can set separately. */
export const placesOf = (schema: OpenApiSchema, path: string[] = []): Place[] => [
  ...(path.length > 0 ? [{ path, schema }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([key, member]) => placesOf(member, [...path, key])),
];
