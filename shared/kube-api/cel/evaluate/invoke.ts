import { call } from '../functions/library.ts';
import { CelError, type CelValue, isMap, noOverload, typeOf } from '../value.ts';
import { binary, insert, unary } from './operators.ts';

const OPERATOR = /^(?:_(\D{1,2})_|@(in))$/;

/**
 * The value of a function or an operator; `isMethod`: its first argument is a receiver. Throws
 * CelError, with the types of the arguments unless one overload was chosen before (`isUnique`).
 */
export const invoke = (
  name: string,
  { isMethod = false, isUnique = false }: { isMethod?: boolean; isUnique?: boolean },
  args: readonly CelValue[],
): CelValue => {
  const [first = null, second = null] = args;
  if (name === '!_' || name === '-_') return unary(name, first);
  const [, sign, word] = OPERATOR.exec(name) ?? [];
  if (sign !== undefined || word !== undefined) return binary(sign ?? word ?? '', first, second);
  if (name === 'cel.@mapInsert' && isMap(first)) return insert(first, second, args[2]);
  const value = isMethod ? call(`.${name}`, args) : call(name, name.includes('.') ? [null, ...args] : args);
  if (value !== undefined) return value;
  if (name === 'size' || name === 'matches') throw new CelError(`no such overload: ${name}`);
  if (isUnique) throw noOverload();
  throw new CelError(`no such overload: ${name}(${args.map(typeOf).join(', ')})`);
};
