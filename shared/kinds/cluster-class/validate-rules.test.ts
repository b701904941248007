import { describe, expect, it } from 'vitest';
import { validateVariables } from './validate-variables.ts';
import type { VariableSchema } from './variable-schema.ts';

const lines = (openAPIV3Schema: VariableSchema): string[] =>
  validateVariables([{ name: 'v', required: true, schema: { openAPIV3Schema } }]).map(
    ({ type, field, detail }) => `${type} ${field.replace('spec.variables[v].schema.openAPIV3Schema', '@')} ${detail}`,
  );

describe('rules of variables', () => {
  it('are refused for their texts, upstream in these words', () => {
    const schema: VariableSchema = {
      type: 'string',
      'x-kubernetes-validations': [
        { rule: "self == 'a'", fieldPath: '.x' },
        { rule: ' ' },
        { rule: 'a\nb' },
        { rule: "self == 'b'", message: ' ' },
        { rule: "self == 'c'", message: 'a\nb' },
        { rule: "self == 'd'", messageExpression: ' ' },
        { rule: "self == 'e'", fieldPath: ' ' },
      ],
    };
    const at = '@.x-kubernetes-validations';
    expect(lines(schema)).toEqual([
      `FieldValueInvalid ${at}[0].fieldPath fieldPath must be a valid path: does not refer to a valid field`,
      `FieldValueRequired ${at}[1].rule rule is not specified`,
      `FieldValueRequired ${at}[2].message message must be specified if rule contains line breaks`,
      `FieldValueInvalid ${at}[3].message message must be non-empty if specified`,
      `FieldValueInvalid ${at}[4].message message must not contain line breaks`,
      `FieldValueRequired ${at}[5].messageExpression messageExpression must be non-empty if specified`,
      `FieldValueInvalid ${at}[6].fieldPath fieldPath must be non-empty if specified`,
      `FieldValueInvalid ${at}[6].fieldPath fieldPath must be a valid path: expected [ or . but got:  `,
    ]);
  });

  it('are refused for their expressions', () => {
    const schema: VariableSchema = {
      type: 'object',
      properties: { name: { type: 'string' } },
      'x-kubernetes-validations': [
        { rule: 'self.nam == 3' },
        { rule: 'self.name' },
        { rule: "self.name == 'a'", messageExpression: '3' },
      ],
    };
    expect(lines(schema)).toEqual([
      "FieldValueInvalid @.x-kubernetes-validations[0].rule compilation failed: ERROR: <input>:1:5: undefined field 'nam'\n | self.nam == 3\n | ....^",
      'FieldValueInvalid @.x-kubernetes-validations[1].rule cel expression must evaluate to a bool',
      'FieldValueInvalid @.x-kubernetes-validations[2].messageExpression messageExpression must evaluate to a string',
    ]);
  });

  it('compare no items of lists with those before', () => {
    const items = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    expect(lines({ type: 'object', properties: { l: { type: 'array', items } } })).toEqual([
      'FieldValueInvalid @.properties[l].items.x-kubernetes-validations[0].rule oldSelf cannot be used on the uncorrelatable portion of the schema within spec.variables[v].schema.openAPIV3Schema.properties[l].items',
    ]);
  });

  it('hold for defaults, and patterns are regular expressions of RE2', () => {
    const rules = [{ rule: "self.l[0] == 'x'" }];
    const list: VariableSchema = { type: 'array', items: { type: 'string' } };
    expect(
      lines({ type: 'object', properties: { l: list }, default: { l: ['q'] }, 'x-kubernetes-validations': rules }),
    ).toEqual(["FieldValueInvalid @.default failed rule: self.l[0] == 'x'"]);
    expect(lines({ type: 'string', pattern: '(' })).toEqual([
      "FieldValueInvalid @.pattern must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`",
    ]);
  });
});
