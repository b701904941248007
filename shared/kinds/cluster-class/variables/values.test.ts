import { describe, expect, it } from 'vitest';
import { Work } from '../../../kube-api/work.ts';
import type { ClassVariable, VariableSchema } from '../variable-schema.ts';
import { defaultVariables } from './default-values.ts';
import { inlineDefinitions, type VariableValue } from './definitions.ts';
import { validateVariables } from './validate-values.ts';

const FIELD = 'spec.topology.variables';

const variable = (openAPIV3Schema: VariableSchema, name = 'a', required = false): ClassVariable => ({
  name,
  required,
  schema: { openAPIV3Schema },
});

interface Given {
  values?: VariableValue[];
  old?: VariableValue[];
  isCluster?: boolean;
}

const lines = (variables: ClassVariable[], { values = [], old = [], isCluster = true }: Given): string[] =>
  validateVariables(values, old, inlineDefinitions(variables), FIELD, { isCluster, work: new Work() }).map(
    ({ type, field, detail }) => `${type} ${field} ${detail}`,
  );

const faults = (schema: VariableSchema, value: unknown, old?: unknown): string[] =>
  lines([variable(schema)], {
    values: [{ name: 'a', value }],
    ...(old === undefined ? {} : { old: [{ name: 'a', value: old }] }),
  }).map((line) => line.replace(`${FIELD}[a]`, '@'));

describe('values of variables', () => {
  it.each<{ schema: VariableSchema; value: unknown; says: string[] }>([
    { schema: { type: 'string' }, value: 5, says: ['FieldValueTypeInvalid @.value must be of type string: "integer"'] },
    { schema: { type: 'string' }, value: null, says: ['FieldValueTypeInvalid @.value must be of type string: "null"'] },
    {
      schema: {
        type: 'object',
        properties: { name: { type: 'string', pattern: '^a' }, n: { type: 'integer', minimum: 3 } },
      },
      value: { name: 'b', n: 1 },
      says: [
        "FieldValueInvalid @.value.name name in body should match '^a'",
        'FieldValueInvalid @.value.n n in body should be greater than or equal to 3',
      ],
    },
    {
      schema: {
        type: 'object',
        properties: { l: { type: 'array', maxItems: 1, uniqueItems: true, items: { type: 'string' } } },
      },
      value: { l: ['x', 'x'] },
      says: [
        'FieldValueTooMany @.value.l must have at most 1 item',
        "FieldValueInvalid @.value.l l in body shouldn't contain duplicates",
      ],
    },
    {
      schema: { type: 'integer', minimum: 3, exclusiveMinimum: true },
      value: 3,
      says: ['FieldValueInvalid @.value should be greater than 3'],
    },
    {
      schema: { type: 'object', properties: { p: { type: 'string', anyOf: [{ minLength: 3 }, { maxLength: 1 }] } } },
      value: { p: 'ab' },
      says: [
        'FieldValueInvalid @.value "p" must validate at least one schema (anyOf)',
        'FieldValueInvalid @.value.p p in body should be at least 3 chars long',
      ],
    },
    {
      schema: { type: 'string', oneOf: [{ minLength: 1 }, { maxLength: 3 }] },
      value: 'ab',
      says: ['FieldValueInvalid @.value "" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    },
    {
      schema: { type: 'object', properties: { p: { type: 'string', allOf: [{ minLength: 3 }, { maxLength: 1 }] } } },
      value: { p: 'ab' },
      says: [
        'FieldValueInvalid @.value.p p in body should be at least 3 chars long',
        'FieldValueTooLong @.value.p may not be more than 1 byte',
        'FieldValueInvalid @.value "p" must validate all the schemas (allOf). None validated',
      ],
    },
    {
      schema: { type: 'object', properties: { p: { type: 'string', not: { pattern: 'b' } } } },
      value: { p: 'ab' },
      says: ['FieldValueInvalid @.value "p" must not validate the schema (not)'],
    },
    {
      schema: { type: 'string', format: 'cidr' },
      value: 'xx',
      says: ['FieldValueTypeInvalid @.value must be of type cidr: "xx"'],
    },
    { schema: { type: 'string', format: 'ipv4' }, value: '10.0.0.1', says: [] },
    {
      schema: { type: 'object', properties: { x: { type: 'object', properties: { y: { type: 'string' } } } } },
      value: { w: 1, x: { z: 3 } },
      says: [
        'FieldValueInvalid @ failed validation: "w,x.z" field(s) are not specified in the variable schema of variable "a"',
      ],
    },
    { schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, value: { w: 1 }, says: [] },
  ])('$value is checked against $schema', ({ schema, value, says }) => {
    expect(faults(schema, value)).toEqual(says);
  });

  it('are checked by rules, which may refer to the previous value', () => {
    const schema: VariableSchema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      'x-kubernetes-validations': [
        { rule: 'self.n >= oldSelf.n', message: 'only grows', reason: 'FieldValueForbidden', fieldPath: '.n' },
      ],
    };
    expect(faults(schema, { n: 1 }, { n: 2 })).toEqual(['FieldValueForbidden @.value.n only grows']);
    expect(faults(schema, { n: 1 })).toEqual([]);
  });

  it('are reported as a whole if a part of them is invalid', () => {
    const [error] = validateVariables(
      [{ name: 'a', value: { n: 'x' } }],
      [],
      inlineDefinitions([variable({ type: 'object', properties: { n: { type: 'integer' } } })]),
      FIELD,
      { isCluster: true, work: new Work() },
    );
    expect(error?.badValue).toBe('{"n":"x"}');
  });

  it('must be defined, set only once, and present if the class requires them', () => {
    const text: VariableSchema = { type: 'string' };
    const known = [variable(text, 'a', true), variable(text, 'b')];
    expect(lines(known, {})).toEqual([`FieldValueRequired ${FIELD} required variable "a" must be set`]);
    expect(lines(known, { isCluster: false })).toEqual([]);
    expect(lines(known, { isCluster: false, values: [{ name: 'c', value: 1 }] })).toEqual([
      `FieldValueInvalid ${FIELD}[c] variable is not defined`,
    ]);
    const twice = [
      { name: 'a', value: 'x' },
      { name: 'a', value: 'y' },
    ];
    expect(lines(known, { values: twice })).toEqual([
      `FieldValueInvalid ${FIELD}[a] variable "a" is set more than once`,
    ]);
  });

  it('are refused if the definitions of the class conflict', () => {
    const definitions = inlineDefinitions([variable({ type: 'string' })]).map((it) => ({
      ...it,
      definitionsConflict: true,
    }));
    expect(validateVariables([], [], definitions, FIELD, { isCluster: true, work: new Work() })).toEqual([
      {
        type: 'FieldValueTypeInvalid',
        field: FIELD,
        badValue: '[Name: a]',
        detail: 'variable definitions in the ClusterClass not valid: variable "a" has conflicting definitions',
      },
    ]);
  });
});

describe('defaults of variables', () => {
  const known = [
    variable({ type: 'object', default: {}, properties: { x: { type: 'string', default: 'd' } } }, 'a', true),
    variable({ type: 'string', default: 'k' }, 'b'),
    variable({ type: 'string' }, 'c'),
    variable({ type: 'object', properties: { n: { type: 'integer', default: 3 } } }, 'o'),
  ];

  const defaulted = (values: VariableValue[], creates = true) =>
    defaultVariables(values, inlineDefinitions(known), FIELD, { creates });

  it('keep the order of the given values, and are appended for missing variables', () => {
    expect(defaulted([{ name: 'b', value: null }]).values).toEqual([
      { name: 'b', value: 'k' },
      { name: 'a', value: { x: 'd' } },
    ]);
  });

  it('complete objects, and add no overrides of their own', () => {
    expect(defaulted([{ name: 'o', value: {} }], false).values).toEqual([{ name: 'o', value: { n: 3 } }]);
  });

  it('are refused for undefined variables', () => {
    expect(defaulted([{ name: 'z', value: 3 }])).toEqual({
      values: [],
      errors: [{ type: 'FieldValueInvalid', field: `${FIELD}[z]`, badValue: '3', detail: 'variable is not defined' }],
    });
  });
});
