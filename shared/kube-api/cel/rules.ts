import { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../json.ts';
import type { FieldError, FieldErrorType, OpenApiSchema, ValidationRule } from '../resource.ts';
import { correlated } from '../schema/correlate.ts';
import { CostError, Work } from '../work.ts';
import { environmentOf } from './check/environment.ts';
import { TYPES } from './check/types.ts';
import { compile, type Expected, type Program } from './compile.ts';
import { type Declared, declareSchema } from './declare.ts';
import { Meter, RUNTIME_BUDGET } from './evaluate/meter.ts';
import { readFieldPath } from './field-path.ts';
import { fromJson } from './from-json.ts';
import { trimSpace } from './functions/space.ts';
import { CelError, type CelValue, Optional } from './value.ts';

/** A rule of a schema with its compiled expressions, or their errors. */
export interface CompiledRule {
  rule: ValidationRule;
  program: Program | { fault: string };
  message: Program | { fault: string } | undefined;
}

/** The rules of one schema, and the declared type of its values. */
export interface CompiledRules {
  declared: Declared;
  rules: readonly CompiledRule[];
}

const RULE: Expected = { title: '', types: [TYPES.bool], mismatch: 'cel expression must evaluate to a bool' };
const MESSAGE: Expected = {
  title: 'messageExpression ',
  types: [TYPES.string],
  mismatch: 'messageExpression must evaluate to a string',
};

/** `node` is the schema that declares the types; the branches of its `allOf` have rules, but no types. */
const compileRules = (rules: readonly ValidationRule[], node: OpenApiSchema): CompiledRules | undefined => {
  const declared = declareSchema(node);
  if (!declared) return undefined;
  const environments = { plain: environmentOf(declared), optional: environmentOf(declared, true) };
  const compiled = rules.map((rule): CompiledRule => {
    const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
    // Upstream does not run an empty rule.
    const program = compile(environment, rule.rule.trim() === '' ? 'true' : rule.rule, RULE);
    // Upstream does not check the message of an invalid rule.
    const text = 'fault' in program ? '' : (rule.messageExpression ?? '');
    return { rule, program, message: text === '' ? undefined : compile(environment, text, MESSAGE) };
  });
  return { declared, rules: compiled };
};

const known = new WeakMap<OpenApiSchema, CompiledRules>();

/** The rules of one schema, without those of nested schemas. Each schema is compiled once. */
export const compiledRules = (schema: OpenApiSchema, node = schema): CompiledRules | undefined => {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return undefined;
  const compiled = known.get(schema) ?? compileRules(rules, node);
  if (compiled) known.set(schema, compiled);
  return compiled;
};

const EXHAUSTED = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The remaining budget of one value; no more rules run once it is spent. */
interface Budget {
  left: number;
  /** What all values of the same object may do together. */
  work: Work;
}

const textOf = ({ rule, message = '' }: ValidationRule): string => trimSpace(message === '' ? rule : message);

/** Upstream's limit for the message that an expression returns, in bytes. */
const MAX_MESSAGE = 5 * 1024;

const usable = (value: CelValue): string | undefined => {
  const text = typeof value === 'string' ? trimSpace(value) : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > MAX_MESSAGE ? undefined : text;
};

/** Computes the message for a failed rule. Returns a fault if the expression exceeds the cost limit or budget. */
const evaluatedMessage = (
  program: Program,
  rule: ValidationRule,
  scope: ReadonlyMap<string, CelValue>,
  budget: Budget,
): { text?: string | undefined } | { fault: string } => {
  const meter = new Meter(budget.work);
  let outcome: { text?: string | undefined } = {};
  try {
    outcome = { text: usable(program.run(scope, meter)) };
  } catch (error) {
    if (error instanceof CostError) {
      const quoted = JSON.stringify(rule.messageExpression);
      return {
        fault: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoted}`,
      };
    }
    if (!(error instanceof CelError)) throw error;
  }
  if (meter.spent > budget.left) {
    const why = 'messageExpression evaluation failed due to running out of cost budget';
    return { fault: `${why}, no further validation rules will be run` };
  }
  budget.left -= meter.spent;
  return outcome;
};

const atPath = (path: string, below: string): string =>
  below === '' || path === '' ? `${path}${below}` : `${path}.${below}`;

/** The error for a rule that could not be evaluated; upstream shows the type of the value. */
const invalid = ({ type }: OpenApiSchema, field: string, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  detail,
  ...(type ? { badValue: type } : {}),
});

interface Values {
  value: unknown;
  /** Undefined if there is no earlier value. */
  old: unknown;
  path: string;
}

/** The value that a rule is evaluated for, with its schema and the scope of its expressions. */
interface Place {
  schema: OpenApiSchema;
  value: unknown;
  path: string;
  scope: ReadonlyMap<string, CelValue>;
  budget: Budget;
  /** True if the value is unchanged: then only rules that compare it with the earlier value apply. */
  isUnchanged: boolean;
}

const failure = ({ rule, message }: CompiledRule, place: Place): FieldError => {
  const { schema, value, path, scope, budget } = place;
  const below = rule.fieldPath === undefined ? { path: '' } : readFieldPath(rule.fieldPath, schema);
  const field = atPath(path, 'path' in below ? below.path : '');
  const said = message && !('fault' in message) ? evaluatedMessage(message, rule, scope, budget) : {};
  if ('fault' in said) {
    budget.left = -1;
    return invalid(schema, field, said.fault);
  }
  const type: FieldErrorType = rule.reason ?? 'FieldValueInvalid';
  const detail = said.text ?? (rule.message ? textOf(rule) : `failed rule: ${textOf(rule)}`);
  const isPlain = schema.type !== 'object' && schema.type !== 'array';
  return { type, field, detail: type === 'FieldValueDuplicate' ? '' : detail, ...(isPlain ? { badValue: value } : {}) };
};

const faultOfRun = (error: CelError | CostError, rule: ValidationRule): string => {
  if (error instanceof CostError) {
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${textOf(rule)}`;
  }
  if (!error.message.startsWith('no such overload')) return `${error.message} evaluating rule: ${textOf(rule)}`;
  const why = 'call arguments did not match a supported operator, function or macro signature';
  return `'${error.message}': ${why} for rule: ${textOf(rule)}`;
};

const runRule = (of: CompiledRule, place: Place): FieldError[] => {
  const { rule, program } = of;
  const { schema, path, scope, budget } = place;
  if ('fault' in program) return [invalid(schema, path, `rule compile error: ${program.fault}`)];
  if (program.usesOldSelf && !scope.has('oldSelf')) return [];
  if (place.isUnchanged && !program.usesOldSelf) return [];
  const meter = new Meter(budget.work);
  let outcome: CelValue | CelError | CostError;
  try {
    outcome = program.run(scope, meter);
  } catch (error) {
    if (!(error instanceof CelError || error instanceof CostError)) throw error;
    outcome = error;
  }
  if (meter.spent > budget.left) {
    budget.left = -1;
    return [invalid(schema, path, EXHAUSTED)];
  }
  budget.left -= meter.spent;
  if (outcome === true) return [];
  if (outcome instanceof CostError) budget.left = -1;
  if (outcome instanceof CelError || outcome instanceof CostError)
    return [invalid(schema, path, faultOfRun(outcome, rule))];
  return [failure(of, place)];
};

const runRules = (
  rules: readonly CompiledRule[],
  schema: OpenApiSchema,
  values: Values,
  { budget, isRatcheting }: Run,
): FieldError[] => {
  const { value, old, path } = values;
  if (budget.left <= 0) {
    budget.left = -1;
    return [invalid(schema, path, EXHAUSTED)];
  }
  const self: [string, CelValue] = ['self', fromJson(schema, value)];
  const before = old === undefined || old === null ? undefined : fromJson(schema, old);
  const scope = new Map([self, ...(before === undefined ? [] : [['oldSelf', before] as const])]);
  const optional = new Map<string, CelValue>([self, ['oldSelf', new Optional(before)]]);
  const isUnchanged = isRatcheting && before !== undefined && isDeepStrictEqual(value, old);
  const errors: FieldError[] = [];
  for (const rule of rules) {
    const seen = rule.rule.optionalOldSelf ? optional : scope;
    errors.push(...runRule(rule, { schema, value, path, scope: seen, budget, isUnchanged }));
    if (budget.left < 0) break;
  }
  return errors;
};

/** The members of a value, with their schemas. In lists, only items of `map` lists have an earlier value. */
const membersOf = (schema: OpenApiSchema, { value, old, path }: Values): [OpenApiSchema, Values][] => {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    const before = correlated(schema, old);
    return items
      ? value.map((item, index) => [items, { value: item, old: before(item), path: `${path}[${index}]` }])
      : [];
  }
  if (!isObject(value)) return [];
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
  return Object.entries(value).flatMap(([key, member]): [OpenApiSchema, Values][] => {
    const isField = properties !== undefined && Object.hasOwn(properties, key);
    const of = isField ? properties[key] : additionalProperties;
    const below = isField ? atPath(path, key) : `${path}[${key}]`;
    const before = !isAtomic && isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
    return isObject(of) ? [[of, { value: member, old: before, path: below }]] : [];
  });
};

const hasRules = (schema: OpenApiSchema): boolean => {
  const { items, properties = {}, additionalProperties, allOf = [] } = schema;
  const within = [...Object.values(properties), ...allOf, ...(items ? [items] : [])];
  return (
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    within.some(hasRules) ||
    (isObject(additionalProperties) && hasRules(additionalProperties))
  );
};

export interface RunOptions {
  /** Whether unchanged parts may violate rules that do not use `oldSelf`. */
  isRatcheting?: boolean;
  /** Shared by all values of one object. */
  work?: Work;
}

/** State that all values of one validation share. */
interface Run {
  budget: Budget;
  isRatcheting: boolean;
}

const visit = (schema: OpenApiSchema, values: Values, run: Run): FieldError[] => {
  const { budget } = run;
  if (values.value === null || values.value === undefined || !hasRules(schema)) return [];
  const errors: FieldError[] = [];
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    const compiled = compiledRules(part, schema);
    if (compiled && budget.left >= 0) errors.push(...runRules(compiled.rules, schema, values, run));
  }
  for (const [member, below] of membersOf(schema, values)) {
    if (budget.left < 0) break;
    errors.push(...visit(member, below, run));
  }
  return errors;
};

/**
 * Validates a value by the `x-kubernetes-validations` of its schema and of all nested schemas. Returns errors with the
 * paths, reasons and messages of the API server (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel). The value
 * must otherwise be valid by the schema. `old` is the value that it replaces; without one, rules that use `oldSelf` are
 * skipped.
 */
export const validateRules = (
  schema: OpenApiSchema,
  value: unknown,
  old: unknown,
  path = '',
  { isRatcheting = false, work }: RunOptions = {},
): FieldError[] => judgeValue(schema, value, old, path, { isRatcheting, ...(work ? { work } : {}) }).errors;

/** Like `validateRules`, but also returns the cost of the rules that ran; undefined if they exceeded the budget. */
export const judgeValue = (
  schema: OpenApiSchema,
  value: unknown,
  old: unknown,
  path = '',
  { isRatcheting = false, work = new Work() }: RunOptions = {},
): { errors: FieldError[]; spent: number | undefined } => {
  const budget = { left: RUNTIME_BUDGET, work };
  const errors = visit(schema, { value, old, path }, { budget, isRatcheting });
  return { errors, spent: budget.left < 0 ? undefined : RUNTIME_BUDGET - budget.left };
};
