import { invalidValue, required } from '../../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../../kube-api/names.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { compileCondition } from '../../../kube-api/webhooks/conditions.ts';
import type { MatchCondition } from '../../../kube-api/webhooks/configuration.ts';

const MOST = 64;

type CompileCondition = (expression: string) => object;

const validateExpression = (expression: string, at: string, compile: CompileCondition): FieldError[] => {
  const text = expression.trim();
  if (text === '') return [required(at)];
  const program = compile(expression);
  return 'fault' in program ? [invalidValue(at, expression, String(program.fault))] : [];
};

const validateName = (name: string, at: string): FieldError[] =>
  name === '' ? [required(at)] : checkQualifiedName(name).map((fault) => invalidValue(at, name, fault));

/**
 * Errors in match conditions; `compile` is given for conditions that can use more variables than those of webhooks.
 * Pure.
 */
export const validateMatchConditions = (
  conditions: readonly MatchCondition[],
  at: string,
  compile: CompileCondition = compileCondition,
): FieldError[] => {
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
      ...validateExpression(expression, `${at}[${index}].expression`, compile),
      ...validateName(name, `${at}[${index}].name`),
      ...duplicate(name, `${at}[${index}].name`),
    ]),
  ];
};
