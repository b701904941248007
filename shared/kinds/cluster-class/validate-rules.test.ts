import { describe, expect, it } from 'vitest';
import { validateVariables } from './validate-variables.ts';
import type { VariableSchema } from './variable-schema.ts';

const lines = (openAPIV3Schema: VariableSchema): string[] =>
  validateVariables([{ name: 'v', required: true, schema: { openAPIV3Schema } }]).map(
    ({ type, field, detail }) => `${type} ${field.replace('spec.variables[v].schema.openAPIV3Schema', '@')} ${detail}`,
  );

describe('rules of variables', () => {
  it("are refused for invalid texts, with upstream's messages", () => {
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

  it('are refused for invalid expressions', () => {
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

  it('cannot compare list items with their previous values', () => {
    const items = { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    expect(lines({ type: 'object', properties: { l: { type: 'array', maxItems: 9, items } } })).toEqual([
      'FieldValueInvalid @.properties[l].items.x-kubernetes-validations[0].rule oldSelf cannot be used on the uncorrelatable portion of the schema within spec.variables[v].schema.openAPIV3Schema.properties[l].items',
    ]);
  });

  it('apply to defaults, and patterns are RE2 regular expressions', () => {
    const rules = [{ rule: "self.l[0] == 'x'" }];
    const list: VariableSchema = { type: 'array', items: { type: 'string' } };
    expect(
      lines({ type: 'object', properties: { l: list }, default: { l: ['q'] }, 'x-kubernetes-validations': rules }),
    ).toEqual(["FieldValueInvalid @.default failed rule: self.l[0] == 'x'"]);
    expect(lines({ type: 'string', pattern: '(' })).toEqual([
      "FieldValueInvalid @.pattern must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`",
    ]);
  });

  it('are refused if they may cost too much, individually or in total', () => {
    const hint =
      '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
    const rule = 'self.all(a, self.all(b, a == b))';
    const listOf = (maxItems: number, ...rules: string[]) => ({
      type: 'array',
      maxItems,
      items: { type: 'string', maxLength: 10 },
      'x-kubernetes-validations': rules.map((it) => ({ rule: it })),
    });
    const within = (...lists: object[]): VariableSchema => ({
      type: 'object',
      properties: Object.fromEntries(lists.map((list, index) => [`l${index}`, list])),
    });
    const at = (index: number) => `@.properties[l${index}].x-kubernetes-validations[0]`;
    expect(lines(within(listOf(1000, rule)))).toEqual([]);
    expect(lines(within(listOf(1200, rule)))).toEqual([
      `FieldValueForbidden ${at(0)}.rule estimated rule cost exceeds budget by factor of 1.296600x ${hint}`,
    ]);
    const many = Array.from({ length: 12 }, () => listOf(1000, rule));
    expect(lines(within(...many))).toEqual([
      ...[0, 1, 2, 3].map(
        (index) =>
          `FieldValueForbidden ${at(index)}.rule contributed to estimated rule & messageExpression cost total exceeding cost limit for entire OpenAPIv3 schema`,
      ),
      `FieldValueForbidden @ x-kubernetes-validations estimated rule & messageExpression cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.080600x ${hint}`,
    ]);
  });

  it('are charged once for each possible value, and their messages once in total', () => {
    const items = {
      type: 'string',
      maxLength: 100,
      'x-kubernetes-validations': [
        { rule: "self.matches('^a+$')", messageExpression: "self.replace('a', self) + self" },
      ],
    };
    const list = (maxItems?: number): VariableSchema => ({
      type: 'object',
      properties: { l: { type: 'array', items, ...(maxItems === undefined ? {} : { maxItems }) } },
    });
    expect(lines(list(1000))).toEqual([]);
    expect(lines(list())).toEqual([expect.stringContaining('FieldValueForbidden @.properties[l].items')]);
  });
});
