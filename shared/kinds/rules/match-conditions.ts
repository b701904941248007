import { invalidValue, required } from '../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { compileCondition } from '../../kube-api/webhooks/conditions.ts';
import type { MatchCondition } from '../../kube-api/webhooks/configuration.ts';

const MOST = 64;

const validateExpression = (expression: string, at: string): FieldError[] => {
  const text = expression.trim();
  if (text === '') return [required(at)];
  const program = compileCondition(expression);
  return 'fault' in program ? [invalidValue(at, expression, program.fault)] : [];
};

const validateName = (name: string, at: string): FieldError[] =>
  name === '' ? [required(at)] : checkQualifiedName(name).map((fault) => invalidValue(at, name, fault));

/** Errors of match conditions. Pure. */
export const validateMatchConditions = (conditions: readonly MatchCondition[], at: string): FieldError[] => {
  const tooMany: FieldError = { type: 'FieldValueTooMany', field: at, badValue: conditions.length, detail: '' };
  const seen = new Set<string>();
  const duplicate = (name: string, field: string): FieldError[] => {
    if (name === '') return [];
    if (seen.has(name)) return [{ type: 'FieldValueDuplicate', field, badValue: name, detail: '' }];
    seen.add(name);
    return [];
  };
  return [
    ...(conditions.length > MOST ? [{ ...tooMany, detail: `must have at most ${MOST} items` }] : []),
    ...conditions.flatMap(({ name = '', expression = '' }, index) => [
      ...validateExpression(expression, `${at}[${index}].expression`),
      ...validateName(name, `${at}[${index}].name`),
      ...duplicate(name, `${at}[${index}].name`),
    ]),
  ];
};
