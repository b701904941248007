import { type Checked, check } from './check/check.ts';
import type { Environment } from './check/environment.ts';
import { literalIssues } from './check/literals.ts';
import { isSameType, showType, TYPES } from './check/types.ts';
import { type Constants, constantsOf } from './evaluate/constants.ts';
import { interpret } from './evaluate/interpret.ts';
import type { Meter } from './evaluate/meter.ts';
import { everyPart } from './syntax/expression.ts';
import { type Issue, SyntaxFault, showIssues } from './syntax/issue.ts';
import { parse } from './syntax/parse.ts';
import { CelError, type CelValue } from './value.ts';

/** A checked expression. */
export interface Program {
  checked: Checked;
  usesOldSelf: boolean;
  /** Evaluates the expression and adds its cost to the meter. Throws CelError, or CostError if it exceeds the limit. */
  run(scope: ReadonlyMap<string, CelValue>, meter: Meter): CelValue;
}

interface Fault {
  fault: string;
}

type Type = (typeof TYPES)[keyof typeof TYPES];

/**
 * The expected result of an expression, and how upstream words its errors: `title` is a prefix such as
 * `messageExpression `.
 */
export interface Expected {
  title: string;
  /** The allowed result types; empty if any type is allowed. */
  types: readonly Type[];
  /** The error for a result of another type. In some places, upstream names the type that it found. */
  mismatch: string | ((found: string) => string);
}

const checkedOf = (environment: Environment, expression: string): { checked: Checked } | { issues: Issue[] } => {
  try {
    const checked = check(parse(expression), environment);
    const issues = checked.issues.length > 0 ? checked.issues : literalIssues(checked);
    return issues.length > 0 ? { issues: [...issues] } : { checked };
  } catch (error) {
    if (error instanceof SyntaxFault) return { issues: [error.issue] };
    throw error;
  }
};

const instantiate = (checked: Checked): { constants: Constants } | Fault => {
  try {
    return { constants: constantsOf(checked) };
  } catch (error) {
    if (error instanceof CelError) return { fault: error.message };
    throw error;
  }
};

/** Checks an expression. Returns the text of all errors if it is invalid. */
export const compile = (environment: Environment, expression: string, expected: Expected): Program | Fault => {
  const { title, types, mismatch } = expected;
  const found = checkedOf(environment, expression);
  if ('issues' in found) return { fault: `${title}compilation failed: ${showIssues(expression, found.issues)}` };
  const { checked } = found;
  const result = checked.types.get(checked.root.id);
  if (!result || (types.length > 0 && !types.some((type) => isSameType(result, type)))) {
    return { fault: typeof mismatch === 'string' ? mismatch : mismatch(showType(result ?? TYPES.error)) };
  }
  const ready = instantiate(checked);
  if ('fault' in ready) return { fault: `${title || 'program '}instantiation failed: ${ready.fault}` };
  return {
    checked,
    usesOldSelf: everyPart(checked.root).some((part) => part.kind === 'identifier' && part.name === 'oldSelf'),
    run: (scope, meter) => interpret(checked, ready.constants, scope, meter),
  };
};
