import { isObject } from '../json.ts';
import type { FieldError, FieldErrorType, OpenApiSchema, ValidationRule } from '../resource.ts';
import { compile, type Program } from './compile.ts';
import { environmentOf } from './declare.ts';
import { readFieldPath } from './field-path.ts';
import { fromJson } from './from-json.ts';
import { CostError, RUNTIME_BUDGET } from './meter.ts';
import { CelError, type CelValue } from './value.ts';

/** A rule of a schema with its expressions, or what is wrong with them. */
export interface CompiledRule {
  rule: ValidationRule;
  program: Program | { fault: string };
  message: Program | { fault: string } | undefined;
}

const ofType = (program: Program | { fault: string }, type: string, fault: string): Program | { fault: string } =>
  'fault' in program || program.type === type || program.type === 'dyn' ? program : { fault };

const compileRules = (schema: OpenApiSchema): CompiledRule[] => {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const environment = rules.length > 0 ? environmentOf(schema) : undefined;
  if (!environment) return [];
  return rules.map((rule) => ({
    rule,
    program: ofType(compile(environment, rule.rule), 'bool', 'cel expression must evaluate to a bool'),
    message: rule.messageExpression
      ? ofType(compile(environment, rule.messageExpression), 'string', 'messageExpression must evaluate to a string')
      : undefined,
  }));
};

const compiled = new WeakMap<OpenApiSchema, CompiledRule[]>();

/** The rules of one schema, without those within it. They are compiled once as long as the schema lives. */
export const compiledRules = (schema: OpenApiSchema): CompiledRule[] => {
  const known = compiled.get(schema) ?? compileRules(schema);
  compiled.set(schema, known);
  return known;
};

const EXHAUSTED = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** What is left of the budget of one value; rules are no longer run once it is spent. */
interface Budget {
  left: number;
}

const textOf = ({ rule, message = '' }: ValidationRule): string => message.trim() || rule.trim();

const messageOf = ({ rule, message }: CompiledRule, scope: ReadonlyMap<string, CelValue>, budget: Budget): string => {
  const fallback = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
  if (!message || 'fault' in message) return fallback;
  try {
    const { value, cost } = message.run(scope);
    budget.left -= Math.ceil(cost);
    const text = typeof value === 'string' ? value.trim() : '';
    // Upstream's limit for what an expression says.
    return text === '' || /[\n\r]/.test(text) || text.length > 5 * 1024 ? fallback : text;
  } catch (error) {
    if (error instanceof CelError) return fallback;
    throw error;
  }
};

const atPath = (path: string, below: string): string => {
  if (below === '' || path === '' || below.startsWith('[')) return `${path}${below}`;
  return `${path}.${below}`;
};

const failure = (rule: ValidationRule, schema: OpenApiSchema, path: string, detail: string): FieldError => {
  const below = rule.fieldPath === undefined ? { path: '' } : readFieldPath(rule.fieldPath, schema);
  const type: FieldErrorType = rule.reason ?? 'FieldValueInvalid';
  const field = atPath(path, 'path' in below ? below.path : '');
  return { type, field, detail: type === 'FieldValueDuplicate' ? '' : detail };
};

/** A rule that could not be evaluated; upstream shows the type of the value. */
const invalid = ({ type }: OpenApiSchema, field: string, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  detail,
  ...(type ? { badValue: type } : {}),
});

const noOverload = (error: CelError, rule: ValidationRule): string =>
  `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${textOf(rule)}`;

const runRule = (
  of: CompiledRule,
  schema: OpenApiSchema,
  scope: ReadonlyMap<string, CelValue>,
  path: string,
  budget: Budget,
): FieldError[] => {
  const { rule, program } = of;
  if ('fault' in program) return [invalid(schema, path, `rule compile error: ${program.fault}`)];
  if (program.usesOldSelf && !scope.has('oldSelf')) return [];
  try {
    const { value, cost } = program.run(scope);
    budget.left -= Math.ceil(cost);
    if (budget.left < 0) return [invalid(schema, path, EXHAUSTED)];
    return value === true ? [] : [failure(rule, schema, path, messageOf(of, scope, budget))];
  } catch (error) {
    if (error instanceof CostError) {
      budget.left = -1;
      const why = `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${textOf(rule)}`;
      return [invalid(schema, path, why)];
    }
    if (!(error instanceof CelError)) throw error;
    if (error.message.startsWith('no such overload')) return [invalid(schema, path, noOverload(error, rule))];
    return [invalid(schema, path, `${error.message} evaluating rule: ${textOf(rule)}`)];
  }
};

interface Values {
  value: unknown;
  /** Undefined where there is no value that it can be compared with. */
  old: unknown;
  path: string;
}

const runRules = (schema: OpenApiSchema, { value, old, path }: Values, budget: Budget): FieldError[] => {
  const rules = compiledRules(schema);
  if (rules.length === 0) return [];
  if (budget.left <= 0) return [invalid(schema, path, EXHAUSTED)];
  const scope = new Map<string, CelValue>([['self', fromJson(schema, value)]]);
  if (old !== undefined && old !== null) scope.set('oldSelf', fromJson(schema, old));
  const errors: FieldError[] = [];
  for (const rule of rules) {
    errors.push(...runRule(rule, schema, scope, path, budget));
    if (budget.left < 0) break;
  }
  return errors;
};

/** What lies in a value, with its schema. Items of lists cannot be compared with earlier ones: lists are atomic here. */
const membersOf = (schema: OpenApiSchema, { value, old, path }: Values): [OpenApiSchema, Values][] => {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return items ? value.map((item, index) => [items, { value: item, old: undefined, path: `${path}[${index}]` }]) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]): [OpenApiSchema, Values][] => {
    const isField = properties !== undefined && Object.hasOwn(properties, key);
    const known = isField ? properties[key] : additionalProperties;
    const below = isField ? atPath(path, key) : `${path}[${key}]`;
    const before = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
    return isObject(known) ? [[known, { value: member, old: before, path: below }]] : [];
  });
};

const visit = (schema: OpenApiSchema, values: Values, budget: Budget): FieldError[] => {
  if (values.value === null || values.value === undefined) return [];
  const errors = runRules(schema, values, budget);
  for (const part of schema.allOf ?? []) if (budget.left >= 0) errors.push(...visit(part, values, budget));
  for (const [member, below] of membersOf(schema, values)) {
    if (budget.left < 0) break;
    errors.push(...visit(member, below, budget));
  }
  return errors;
};

/**
 * Errors of a value against the `x-kubernetes-validations` of its schema and of all schemas within, with the paths, reasons
 * and words of the API server (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel). The value is valid by the schema
 * otherwise. `old`: the value that it replaces; rules that compare with it are left out where there is none.
 */
export const validateRules = (schema: OpenApiSchema, value: unknown, old: unknown, path = ''): FieldError[] =>
  visit(schema, { value, old, path }, { left: RUNTIME_BUDGET });
