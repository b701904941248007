import { call } from '../functions/library.ts';
import { CelError, type CelValue, isMap, noOverload, readable, typeOf } from '../value.ts';
import { binary, insert, unary } from './operators.ts';

const OPERATOR = /^(?:_(\D{1,2})_|@(in))$/;

/** Functions that cel-go dispatches without checking the argument types first. */
const UNGUARDED: ReadonlySet<string> = new Set(['contains', 'endsWith', 'find', 'findAll', 'startsWith']);

/** Evaluates a function or an operator. With `isMethod`, the first argument is the receiver. Throws CelError. */
export const invoke = (name: string, isMethod: boolean, args: readonly CelValue[]): CelValue => {
  const [first = null, second = null] = args;
  if (name === '!_' || name === '-_') return unary(name, first);
  const [, sign, word] = OPERATOR.exec(name) ?? [];
  if (sign !== undefined || word !== undefined) return binary(sign ?? word ?? '', first, second);
  if (name === 'cel.@mapInsert' && isMap(first)) return insert(first, second, args[2]);
  const value = isMethod ? call(`.${name}`, args) : call(name, name.includes('.') ? [null, ...args] : args);
  if (value !== undefined) return readable(value);
  if (name === 'size' || name === 'matches') throw new CelError(`no such overload: ${name}`);
  if (UNGUARDED.has(name)) throw noOverload();
  throw new CelError(`no such overload: ${name}(${args.map(typeOf).join(', ')})`);
};
