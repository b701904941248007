import { Buffer } from 'node:buffer';
import { CelError, type CelValue, Duration, isList, isMap, numberOf, Timestamp, TypeName, typeOf } from '../value.ts';
import { printDouble, printDuration, printTimestamp } from './print.ts';

const CLAUSE = /%(?:\.(\d+))?(.)/gs;

/** A value as `%s` prints it. */
const printed = (value: CelValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printDouble(value);
  if (isList(value)) return `[${value.map(printed).join(', ')}]`;
  if (isMap(value)) {
    const entries = [...value].map(([key, member]) => `${printed(key)}: ${printed(member)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof TypeName) return value.text;
  return value === null ? 'null' : String(numberOf(value) ?? value);
};

const misfit = (verb: string, value: CelValue): CelError =>
  new CelError(`error during formatting: no formatting clause %${verb} for type ${typeOf(value)}`);

const inBase = (value: CelValue, verb: string): string => {
  const number = typeof value === 'boolean' && verb === 'b' ? BigInt(value) : numberOf(value);
  const isHex = verb === 'x' || verb === 'X';
  let text: string | undefined;
  if (isHex && (typeof value === 'string' || value instanceof Uint8Array)) text = Buffer.from(value).toString('hex');
  else if (typeof number === 'bigint') text = number.toString({ b: 2, o: 8 }[verb] ?? 16);
  if (text === undefined) throw misfit(verb, value);
  return verb === 'X' ? text.toUpperCase() : text;
};

const inDecimals = (value: CelValue, verb: string, precision: number): string => {
  const number = Number(numberOf(value) ?? Number.NaN);
  if (numberOf(value) === undefined) throw misfit(verb, value);
  if (!Number.isFinite(number)) return printDouble(number);
  if (verb === 'f') return number.toFixed(precision);
  return number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');
};

const clause = (verb: string, value: CelValue, precision: number): string => {
  if (verb === 's') return printed(value);
  if (verb === 'd') {
    const number = numberOf(value);
    if (number === undefined) throw misfit(verb, value);
    return typeof number === 'number' ? printDouble(number) : String(number);
  }
  if (verb === 'f' || verb === 'e') return inDecimals(value, verb, precision);
  if ('boxX'.includes(verb)) return inBase(value, verb);
  throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
};

/** `format` of cel-go's strings library: `%s %d %f %e %b %o %x %X %%`, with a precision for `%f` and `%e`. */
export const formatText = (template: string, values: readonly CelValue[]): string => {
  let next = 0;
  const text = template.replace(CLAUSE, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    const value = values[next];
    if (value === undefined) throw new CelError(`index ${next} out of range`);
    next += 1;
    return clause(verb, value, precision === undefined ? 6 : Number(precision));
  });
  return text;
};
