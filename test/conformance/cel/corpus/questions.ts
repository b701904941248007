import type { OpenApiSchema, ValidationRule } from '../../../../shared/kube-api/resource.ts';
import type { Question } from '../judge.ts';
import { SCHEMA, VALUE } from './values.ts';

export const withRules = (schema: OpenApiSchema, ...rules: ValidationRule[]): OpenApiSchema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});

/**
 * Two questions about an expression of any type: its value or error, which the message of a failing rule contains, and
 * the cost of its evaluation, which a passing rule reports.
 */
export const questionsAbout = (expression: string): Question[] => [
  {
    title: expression,
    schema: withRules(SCHEMA, {
      rule: `[${expression}].size() < 0`,
      messageExpression: `'%s'.format([${expression}])`,
    }),
    value: VALUE,
  },
  { title: `cost of ${expression}`, schema: withRules(SCHEMA, { rule: `[${expression}].size() == 1` }), value: VALUE },
];
