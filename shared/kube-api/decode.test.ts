import { expect, it } from 'vitest';
import { decodeObject } from './decode.ts';
import type { OpenApiSchema } from './resource.ts';
import { applyDefaults } from './schema/default.ts';
import { createTestServer, PATH } from './server/test-server.ts';
import { GIZMOS, gizmo } from './test-kinds.ts';

it.each([
  [{ toString: null, valueOf: null }, '()'],
  [null, '()'],
  [7, '(7)'],
  ['v0', '(v0)'],
])('decoding refuses the apiVersion %j with a message', async (apiVersion, shown) => {
  const { call } = await createTestServer();

  const { code, body } = await call('POST', PATH, { ...gizmo('one'), apiVersion });

  expect(code).toBe(400);
  expect(JSON.stringify(body)).toContain(`the API version in the data ${shown} does not match`);
});

const text: OpenApiSchema = { type: 'string' };
const mapOf = (additionalProperties: OpenApiSchema): OpenApiSchema => ({ type: 'object', additionalProperties });
const MAPPED = {
  ...GIZMOS,
  schema: {
    type: 'object',
    properties: {
      texts: mapOf(text),
      nullable: mapOf({ ...text, nullable: true }),
      deep: { type: 'array', items: mapOf(mapOf(text)) },
    },
  } satisfies OpenApiSchema,
};
const mapped = {
  ...gizmo('one'),
  spec: undefined,
  texts: { a: 'b', c: null },
  nullable: { c: null },
  deep: [{ a: null, b: { c: null } }],
};

it('decoding drops nulls in maps of a custom resource, unless they are allowed', () => {
  const { object, warnings } = decodeObject(MAPPED, mapped);

  expect(object).toMatchObject({ nullable: { c: null }, deep: [{ b: {} }] });
  expect(object).toHaveProperty('texts', { a: 'b' });
  expect(warnings).toEqual([]);
});

it('decoding keeps nulls in maps that remain after an apply', () => {
  expect(decodeObject(MAPPED, mapped, { keepNulls: true }).object).toMatchObject({ texts: { a: 'b', c: null } });
});

it('decoding keeps nulls in maps whose values have a default, which then replaces the nulls', () => {
  const schema = { type: 'object', properties: { texts: mapOf({ ...text, default: 'd' }) } } satisfies OpenApiSchema;
  const { object } = decodeObject({ ...GIZMOS, schema }, { ...gizmo('one'), spec: undefined, texts: { a: null } });
  expect(applyDefaults(schema, object)).toMatchObject({ texts: { a: 'd' } });
});

it('decoding treats nulls in lists and maps of a built-in kind as Go does', () => {
  const quantity: OpenApiSchema = { 'x-kubernetes-int-or-string': true };
  const schema: OpenApiSchema = {
    type: 'object',
    properties: {
      texts: { type: 'array', items: text },
      objects: { type: 'array', items: mapOf(text) },
      quantities: mapOf(quantity),
    },
  };
  const body = { ...gizmo('one'), spec: undefined, texts: ['a', null], objects: [null], quantities: { a: null } };
  const { object } = decodeObject({ ...GIZMOS, builtIn: true, schema }, body);
  expect(object).toMatchObject({ texts: ['a', ''], objects: [{}], quantities: { a: '0' } });
});

it('decoding accepts base64 with line breaks in a built-in kind', () => {
  const schema: OpenApiSchema = { type: 'object', properties: { data: mapOf({ type: 'string', format: 'byte' }) } };
  const body = { ...gizmo('one'), spec: undefined, data: { a: 'YWJj\r\nZGVm\n' } };
  expect(decodeObject({ ...GIZMOS, builtIn: true, schema }, body).object).toMatchObject({ data: { a: 'YWJjZGVm' } });
});

it('decoding treats nulls in metadata lists of every kind as Go does', () => {
  const metadata = { name: 'one', finalizers: [null], ownerReferences: [null] };
  const { object } = decodeObject(GIZMOS, { ...gizmo('one'), metadata });
  expect(object.metadata).toMatchObject({ finalizers: [''], ownerReferences: [{}] });
});
