import { type CelValue, readable } from '../value.ts';

/** A variable of a loop. An accumulator may hold an error, which counts only when it is read. */
export interface Variable {
  name: string;
  read(): CelValue;
}

/** The scope of an expression: the variables of the loops around it, then those of the rule. */
export interface Scope {
  rule: ReadonlyMap<string, CelValue>;
  variable?: Variable;
  outer?: Scope;
}

/** The scope within a loop. */
export const within = (outer: Scope, ...variables: readonly Variable[]): Scope =>
  variables.reduce<Scope>((scope, variable) => ({ rule: scope.rule, variable, outer: scope }), outer);

/** The value of a variable; undefined if there is no variable of this name. Throws the error that it holds. */
export const lookUp = (scope: Scope, name: string): CelValue | undefined => {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.variable?.name !== name) continue;
    return readable(at.variable.read());
  }
  const value = scope.rule.get(name);
  return value === undefined ? undefined : readable(value);
};
