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

/** An expression that was checked. */
export interface Program {
  checked: Checked;
  usesOldSelf: boolean;
  /** Its value, and what it cost. Throws CelError, and CostError where one call may not cost as much. */
  run(scope: ReadonlyMap<string, CelValue>, meter: Meter): CelValue;
}

interface Fault {
  fault: string;
}

type Type = (typeof TYPES)[keyof typeof TYPES];

/** The errors of an expression, with upstream's messages: a prefix (`messageExpression `), and its type. */
export interface Expected {
  title: string;
  /** One of the types that the result may have; anything where there are none. */
  types: readonly Type[];
  /** Of a result of another type, which upstream shows in some places. */
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

/** Checks an expression; the text of all errors if it is not valid. */
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
