import type { Overload } from './environment.ts';
import { type CelType, isSameType, showType, TYPES } from './types.ts';
import type { Unifier } from './unify.ts';

/** A function call: its overloads and argument types, with the receiver's type first. */
export interface Use {
  name: string;
  overloads: readonly Overload[];
  types: readonly CelType[];
  isMethod: boolean;
}

type Fresh = () => CelType;

/** The result type of an overload for these argument types; undefined if it does not accept them. */
const assigned = (
  { takes, gives, parameters }: Overload,
  types: readonly CelType[],
  unifier: Unifier,
  fresh: Fresh,
): CelType | undefined => {
  const own = new Map(parameters.map((name) => [name, fresh()]));
  const filled = (type: CelType): CelType => {
    const parameter = type.kind === 'parameter' ? own.get(type.name) : undefined;
    if (parameter) return parameter;
    return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(filled) };
  };
  return unifier.areAssignable(types, takes.map(filled)) ? unifier.substitute(filled(gives)) : undefined;
};

/** Returns the overloads that accept the arguments, and the type of the call: `dyn` if they differ. */
export const resolve = (
  { overloads, types, isMethod }: Use,
  unifier: Unifier,
  fresh: Fresh,
): { fitting: string[]; result: CelType | undefined } => {
  const fitting: string[] = [];
  let result: CelType | undefined;
  for (const overload of overloads) {
    const gives = overload.isMethod === isMethod ? assigned(overload, types, unifier, fresh) : undefined;
    if (!gives) continue;
    fitting.push(overload.id);
    if (result === undefined) result = gives;
    else if (result.kind !== 'dyn' && !isSameType(gives, result)) result = TYPES.dyn;
  }
  return { fitting, result };
};

/** The error for a call that matches no overload. */
export const noOverload = ({ name, types, isMethod }: Use, unifier: Unifier): string => {
  const shown = types.map((type) => showType(unifier.substitute(type, true)));
  const [first = '', ...others] = shown;
  const signature = isMethod ? `${first}.(${others.join(', ')})` : `(${shown.join(', ')})`;
  return `found no matching overload for '${name}' applied to '${signature}'`;
};
