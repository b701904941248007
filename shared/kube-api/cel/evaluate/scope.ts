import { type CelValue, readable } from '../value.ts';

/** A loop variable. An accumulator may hold an error, which is thrown only when the variable is read. */
export interface Variable {
  name: string;
  read(): CelValue;
}

/** The scope of an expression: the variables of the enclosing loops first, then those of the rule. */
export interface Scope {
  rule: ReadonlyMap<string, CelValue>;
  variable?: Variable;
  outer?: Scope;
}

/** Returns the scope inside a loop that declares these variables. */
export const within = (outer: Scope, ...variables: readonly Variable[]): Scope =>
  variables.reduce<Scope>((scope, variable) => ({ rule: scope.rule, variable, outer: scope }), outer);

/**
 * Returns the value of a variable, or undefined if no variable has this name. Throws the error that a variable holds.
 */
export const lookUp = (scope: Scope, name: string): CelValue | undefined => {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.variable?.name !== name) continue;
    return readable(at.variable.read());
  }
  const value = scope.rule.get(name);
  return value === undefined ? undefined : readable(value);
};
