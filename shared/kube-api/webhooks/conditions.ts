import type { Environment } from '../cel/check/environment.ts';
import { type CelType, listOf, mapOf, structOf, TYPES } from '../cel/check/types.ts';
import { compile, type Expected, type Program } from '../cel/compile.ts';
import { Meter } from '../cel/evaluate/meter.ts';
import { fromJson } from '../cel/from-json.ts';
import { CelError, type CelValue } from '../cel/value.ts';
import type { OpenApiSchema } from '../resource.ts';
import { CostError } from '../work.ts';

/**
 * CEL expressions about requests, such as the match conditions of webhooks. The types are those that upstream declares.
 */

/** An object type that upstream declares for requests. */
export const struct = (name: string): CelType => structOf(`kubernetes.${name}`);
export const fields = (of: Record<string, CelType>): ReadonlyMap<string, CelType> => new Map(Object.entries(of));

const { string, dyn, bool } = TYPES;

const REQUEST = {
  kind: struct('GroupVersionKind'),
  resource: struct('GroupVersionResource'),
  subResource: string,
  requestKind: struct('GroupVersionKind'),
  requestResource: struct('GroupVersionResource'),
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: struct('UserInfo'),
  dryRun: bool,
  options: dyn,
};

export const REQUEST_STRUCTS: Environment['structs'] = new Map([
  ['kubernetes.AdmissionRequest', fields(REQUEST)],
  ['kubernetes.GroupVersionKind', fields({ group: string, version: string, kind: string })],
  ['kubernetes.GroupVersionResource', fields({ group: string, version: string, resource: string })],
  [
    'kubernetes.UserInfo',
    fields({ username: string, uid: string, groups: listOf(string), extra: mapOf(string, listOf(string)) }),
  ],
]);

/** The variables and types of expressions about requests. */
const REQUEST_ENVIRONMENT: Environment = {
  variables: new Map([
    ['object', dyn],
    ['oldObject', dyn],
    ['request', struct('AdmissionRequest')],
  ]),
  structs: REQUEST_STRUCTS,
};

const CONDITION: Expected = {
  title: '',
  types: [TYPES.bool],
  mismatch: (found) => `must evaluate to bool but got ${found}`,
};

const AUTHORIZER = /\bauthorizer\b/;

/** Explains a compilation error if the expression uses a variable that only upstream supports. */
export const explained = (fault: string, expression: string): string =>
  AUTHORIZER.test(expression) ? `${fault}\nthe variable authorizer is not supported by this server` : fault;

/** Compiles a match condition; returns the error if it is invalid. */
export const compileCondition = (expression: string): Program | { fault: string } => {
  const program = compile(REQUEST_ENVIRONMENT, expression, CONDITION);
  return 'fault' in program ? { fault: explained(program.fault, expression) } : program;
};

/** Accepts any value without a declared type. */
const UNTYPED: OpenApiSchema = { 'x-kubernetes-int-or-string': true };

export const untyped = (value: unknown): CelValue => fromJson(UNTYPED, value);

/** The cost budget for all match conditions of one webhook (k8s.io/apiserver/pkg/apis/cel). */
const CONDITIONS_BUDGET = 2_500_000;

/** The text of an evaluation error, as clients see it. */
export const textOf = (error: CelError | CostError): string => {
  if (error instanceof CelError && error.message.startsWith('no such overload')) return 'no such overload';
  return error.message;
};

/** `isMet`: whether all conditions are true. A false condition takes precedence over errors of others. */
export type Conclusion = { isMet: boolean } | { faults: string[] };

interface Condition {
  expression: string;
  program: Program | { fault: string };
}

/** Evaluates conditions in order; `scope` contains the variables of REQUEST_ENVIRONMENT. */
export const conclude = (conditions: readonly Condition[], scope: ReadonlyMap<string, CelValue>): Conclusion => {
  const faults: string[] = [];
  let left = CONDITIONS_BUDGET;
  for (const { expression, program } of conditions) {
    if ('fault' in program) {
      faults.push(program.fault);
      continue;
    }
    const meter = new Meter();
    try {
      if (program.run(scope, meter) !== true) return { isMet: false };
    } catch (error) {
      if (!(error instanceof CelError || error instanceof CostError)) throw error;
      faults.push(`expression '${expression}' resulted in error: ${textOf(error)}`);
    }
    left -= meter.spent;
    if (left < 0)
      return {
        faults: ['validation failed due to running out of cost budget, no further validation rules will be run'],
      };
  }
  return faults.length > 0 ? { faults } : { isMet: true };
};
