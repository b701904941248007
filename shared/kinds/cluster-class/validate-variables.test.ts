import { describe, expect, it } from 'vitest';
import { validateVariables } from './validate-variables.ts';
import type { VariableSchema } from './variable-schema.ts';

const variable = (openAPIV3Schema: VariableSchema, name = 'v') => ({
  name,
  required: true,
  schema: { openAPIV3Schema },
});

const lines = (...variables: ReturnType<typeof variable>[]): string[] =>
  validateVariables(variables).map(({ type, field, detail }) => `${type} ${field} ${detail}`);

const AT = 'spec.variables[v].schema.openAPIV3Schema';

describe('variables of a ClusterClass', () => {
  it('must have unique, valid names', () => {
    const text: VariableSchema = { type: 'string' };
    expect(lines(variable(text, 'builtin'), variable(text, 'a.b'), variable(text), variable(text))).toEqual([
      'FieldValueInvalid spec.variables[v].name variable name must be unique. Variable with name "v" is defined more than once',
      'FieldValueInvalid spec.variables[builtin].name "builtin" is a reserved variable name',
      'FieldValueInvalid spec.variables[a.b].name variable name cannot contain "."',
    ]);
  });

  it.each<{ schema: VariableSchema; line: string }>([
    {
      schema: { description: 'any' },
      line: `FieldValueRequired ${AT}.type must not be empty for specified object fields`,
    },
    {
      schema: { type: 'array', items: {} },
      line: `FieldValueRequired ${AT}.items.type must not be empty for specified array items`,
    },
    {
      schema: { type: 'object', properties: { a: { properties: {} } } },
      line: `FieldValueRequired ${AT}.properties[a].type must`,
    },
    {
      schema: { type: 'object', properties: { a: 5 } },
      line: `FieldValueTypeInvalid ${AT}.properties.a ${AT}.properties.a in body must be of type object`,
    },
    {
      schema: { type: 'number', default: 0, oneOf: { a: [null] } },
      line: `FieldValueTypeInvalid ${AT}.oneOf ${AT}.oneOf in body must be of type array: "object"`,
    },
    { schema: { type: 'number', default: 0, allOf: [null] }, line: `FieldValueTypeInvalid ${AT}.allOf[0]` },
    { schema: { type: 'array', items: 5 }, line: `FieldValueInvalid ${AT}.items must be a schema` },
    { schema: { type: 'number', default: 0, not: 5 }, line: `FieldValueTypeInvalid ${AT}.not` },
    {
      schema: { type: 'object', default: { a: {} }, properties: { a: { type: 'object', required: 5 } } },
      line: `FieldValueTypeInvalid ${AT}.properties.a.required`,
    },
    {
      schema: { type: 'object', default: { a: '' }, properties: { a: { type: 'string', pattern: 5 } } },
      line: `FieldValueTypeInvalid ${AT}.properties.a.pattern`,
    },
    {
      schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      line: `FieldValueForbidden ${AT} additionalProperties and properties are mutually exclusive`,
    },
    {
      schema: { type: 'string', default: 5 },
      line: `FieldValueTypeInvalid ${AT}.default  in body must be of type string`,
    },
    {
      schema: { type: 'integer', minimum: 3, enum: [4, 2] },
      line: `FieldValueInvalid ${AT}.enum[1]  in body should be greater`,
    },
    { schema: { type: 'string', pattern: '^a$', example: 'b' }, line: `FieldValueInvalid ${AT}.example` },
    {
      schema: { type: 'string', 'x-metadata': { labels: { 'not a label': '' } } },
      line: `FieldValueInvalid ${AT}.x-metadata.labels name part`,
    },
  ])('are refused with the schema $schema', ({ schema, line }) => {
    expect(lines(variable(schema))).toEqual([expect.stringContaining(line)]);
  });

  it('may be whole objects, maps, lists, and untyped if that is declared', () => {
    const schema: VariableSchema = {
      type: 'object',
      default: { zones: ['a'], tags: { x: '1' }, port: '10%' },
      properties: {
        zones: { type: 'array', items: { type: 'string' } },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        port: { 'x-kubernetes-int-or-string': true },
        raw: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    };
    expect(lines(variable(schema))).toEqual([]);
  });
});
