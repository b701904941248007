import type { CelValue } from '../cel/value.ts';
import { type Compiled, compilerOf } from './environment.ts';
import { CONDITIONS_BUDGET, evaluateAll, type Named, OutOfBudget, type Result, RUNTIME_BUDGET } from './evaluate.ts';
import type { PolicySpec, Validation } from './policy.ts';

/** A violation of a policy; `index` is the index of its validation. */
export interface Objection {
  message: string;
  reason?: string;
  index: number;
}

export interface Verdict {
  objections: readonly Objection[];
  annotations: readonly { key: string; value: string }[];
  /** Errors of audit annotations, which deny a request regardless of the binding's actions. */
  faults: readonly string[];
}

/** The input of a validation: the variables, except those that the policy defines. */
export interface Given {
  scope: ReadonlyMap<string, CelValue>;
  /** Null if the object has no namespace, or no expression uses `namespaceObject`. */
  namespaceObject: CelValue;
}

const NOTHING: Verdict = { objections: [], annotations: [], faults: [] };

const LONGEST_MESSAGE = 5 * 1024;

const messageOf = ({ expression = '', message = '' }: Validation, found: Result | undefined): string => {
  const evaluated = found && 'value' in found && typeof found.value === 'string' ? found.value.trim() : '';
  const usable = Buffer.byteLength(evaluated) > LONGEST_MESSAGE || evaluated.includes('\n') ? '' : evaluated;
  return usable || message.trim() || `failed expression: ${expression.trim()}`;
};

const bare = (expression: string, program: Compiled) => ({ expression, program });

/** Compiles the expressions of a policy. */
const compiledOf = (spec: PolicySpec) => {
  const compiler = compilerOf(spec);
  const variables: Named[] = (spec.variables ?? []).map(({ name = '', expression = '' }) => ({
    name,
    ...bare(expression, compiler.variable(name, expression)),
  }));
  return {
    variables,
    conditions: (spec.matchConditions ?? []).map(({ expression = '' }) =>
      bare(expression, compiler.matchCondition(expression)),
    ),
    validations: (spec.validations ?? []).map(({ expression = '' }) =>
      bare(expression, compiler.validation(expression)),
    ),
    messages: (spec.validations ?? []).map(({ messageExpression }) =>
      messageExpression ? bare(messageExpression, compiler.message(messageExpression)) : undefined,
    ),
    annotations: (spec.auditAnnotations ?? []).map(({ valueExpression = '' }) =>
      bare(valueExpression, compiler.annotation(valueExpression)),
    ),
  };
};

type Expressions = ReturnType<typeof compiledOf>;

/**
 * Reports whether all conditions are true, or what is wrong with them. An error counts only if no condition is false.
 */
const conditionsOf = ({ conditions, variables }: Expressions, { scope }: Given): boolean | string => {
  const seen = new Map([...scope, ['namespaceObject', null as CelValue]]);
  const results = evaluateAll(conditions, variables, seen, { left: CONDITIONS_BUDGET });
  if (results.some((result) => result && 'value' in result && result.value !== true)) return false;
  const faults = results.flatMap((result) => (result && 'error' in result ? [result.error] : []));
  if (faults.length === 0) return true;
  return faults.length === 1 ? String(faults[0]) : `[${faults.join(', ')}]`;
};

interface Raised extends Objection {
  isFault: boolean;
}

const objectionsOf = (spec: PolicySpec, expressions: Expressions, scope: Given['scope']): Raised[] => {
  const { validations, messages, variables } = expressions;
  const budget = { left: RUNTIME_BUDGET };
  const results = evaluateAll(validations, variables, scope, budget);
  let told: (Result | undefined)[] = [];
  let exhausted: string | undefined;
  try {
    told = evaluateAll(messages, variables, scope, budget);
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    exhausted = `failed messageExpression: ${error.message}`;
  }
  return results.flatMap((result, index): Raised[] => {
    if (result && 'error' in result) return [{ message: result.error, index, isFault: true }];
    if (exhausted !== undefined) return [{ message: exhausted, index, isFault: true }];
    if (!result || result.value === true) return [];
    const validation = spec.validations?.[index] ?? {};
    const reason = validation.reason ?? 'Invalid';
    return [{ message: messageOf(validation, told[index]), reason, index, isFault: false }];
  });
};

const annotationsOf = (spec: PolicySpec, { annotations, variables }: Expressions, scope: Given['scope']) => {
  const results = evaluateAll(annotations, variables, scope, { left: RUNTIME_BUDGET });
  const faults = results.flatMap((result) => (result && 'error' in result ? [result.error] : []));
  const found = results.flatMap((result, index) => {
    const value = result && 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
    return value === '' ? [] : [{ key: spec.auditAnnotations?.[index]?.key ?? '', value }];
  });
  return { faults, annotations: found };
};

/**
 * Returns a function that validates requests by a policy (k8s.io/apiserver, policy/validating/validator.go). It returns
 * the violations and the audit annotations. Evaluation errors are violations if the policy's failurePolicy is Fail.
 */
export const makeValidate = (spec: PolicySpec): ((given: Given) => Verdict) => {
  let made: Expressions | undefined;
  const mayFail = spec.failurePolicy === 'Ignore';
  const failing = (message: string): Verdict =>
    mayFail ? NOTHING : { ...NOTHING, objections: [{ message, index: 0 }] };
  return (given) => {
    made ??= compiledOf(spec);
    const scope = new Map([...given.scope, ['namespaceObject', given.namespaceObject]]);
    try {
      const isMet = conditionsOf(made, given);
      if (typeof isMet === 'string') return failing(isMet);
      if (!isMet) return NOTHING;
      const objections = objectionsOf(spec, made, scope)
        .filter(({ isFault }) => !(isFault && mayFail))
        .map(({ isFault: _, ...objection }) => objection);
      const { faults, annotations } = annotationsOf(spec, made, scope);
      return { objections, annotations, faults: mayFail ? [] : faults };
    } catch (error) {
      if (error instanceof OutOfBudget) return failing(error.message);
      throw error;
    }
  };
};
