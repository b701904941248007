import { Buffer } from 'node:buffer';
import { quote } from '../../quote.ts';
import {
  CelError,
  type CelValue,
  Duration,
  isList,
  isMap,
  numberOf,
  Timestamp,
  TypeName,
  typeOf,
  Uint,
} from '../value.ts';
import { type Clause, FORMAT_FAULTS, readFormat } from './format-clauses.ts';
import { printDouble, printDuration, printFixed, printTimestamp, textOfBytes } from './print.ts';

/** The number of decimals if a clause does not specify one. */
const PRECISION = 6;

const isInteger = (value: CelValue): value is bigint | Uint => typeof value === 'bigint' || value instanceof Uint;

const misfit = (verb: string, value: CelValue): CelError =>
  new CelError(`error during formatting: ${FORMAT_FAULTS[verb]}, was given ${typeOf(value)}`);

/** Prints a member of a list or a map: strings are quoted, doubles have six decimals. */
const member = (value: CelValue): string => {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quote(textOfBytes(value))}`;
  if (value instanceof Timestamp) return `timestamp(${quote(printTimestamp(value))})`;
  if (value instanceof Duration) return `duration(${quote(printDuration(value))})`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? printFixed(value, PRECISION) : quote(printDouble(value));
  const isPlain = value === null || typeof value === 'boolean' || isInteger(value) || value instanceof TypeName;
  if (!isPlain && !isList(value) && !isMap(value)) {
    throw new CelError(`error during formatting: no formatting function for ${typeOf(value)}`);
  }
  return printed(value);
};

const key = (value: CelValue): string => {
  if (typeof value === 'string' || typeof value === 'boolean' || isInteger(value)) return member(value);
  throw new CelError(`error during formatting: no formatting function for map key of type ${typeOf(value)}`);
};

const entries = (map: ReadonlyMap<CelValue, CelValue>): string =>
  [...map]
    .map(([name, value]): [string, string] => [key(name), member(value)])
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((pair) => pair.join(':'))
    .join(', ');

/** Prints a value as `%s` does. */
const printed = (value: CelValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printDouble(value);
  if (isList(value)) return `[${value.map(member).join(', ')}]`;
  if (isMap(value)) return `{${entries(value)}}`;
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  if (value instanceof Uint8Array) return textOfBytes(value);
  if (value instanceof TypeName) return value.text;
  if (value === null) return 'null';
  if (typeof value === 'boolean' || isInteger(value)) return String(numberOf(value) ?? value);
  throw misfit('s', value);
};

const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 };

const inBase = (value: CelValue, verb: string): string => {
  const isHex = verb === 'x' || verb === 'X';
  let text: string | undefined;
  if (isHex && (typeof value === 'string' || value instanceof Uint8Array)) text = Buffer.from(value).toString('hex');
  else if (verb === 'b' && typeof value === 'boolean') text = value ? '1' : '0';
  else if (isInteger(value)) text = (numberOf(value) as bigint).toString(BASES[verb]);
  if (text === undefined) throw misfit(verb, value);
  return verb === 'X' ? text.toUpperCase() : text;
};

const UNREAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const grouped = (text: string): string => {
  const [whole = '', fraction] = text.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
};

const unreal = (number: number): string => {
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? '∞' : '-∞';
};

/** Prints as Go does for English: commas between thousands, and exponents as powers of ten. */
const inDecimals = (value: CelValue, verb: string, precision: number): string => {
  const number = typeof value === 'string' && Object.hasOwn(UNREAL, value) ? UNREAL[value] : value;
  if (typeof number !== 'number') throw misfit(verb, value);
  if (!Number.isFinite(number)) return unreal(number).padStart(verb === 'e' ? precision : 0);
  if (verb === 'f') return grouped(printFixed(number, precision));
  const [digits = '', exponent = ''] = number.toExponential(PRECISION).split('e');
  const power = exponent.slice(1).padStart(2, '0');
  // Upstream treats the precision of `%e` as a width.
  return `${digits}×10${superscript(exponent.startsWith('-') ? `-${power}` : power)}`.padStart(precision);
};

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const superscript = (power: string): string =>
  power.replace(/./g, (letter) => (letter === '-' ? '⁻' : (SUPERSCRIPTS[Number(letter)] ?? '')));

const clauseText = ({ verb, precision = PRECISION }: Clause, value: CelValue): string => {
  if (verb === 's') return printed(value);
  return verb === 'f' || verb === 'e' ? inDecimals(value, verb, precision) : inBase(value, verb);
};

/** `format` of cel-go's strings library: `%s %d %f %e %b %o %x %X %%`, with a precision for `%f` and `%e`. */
export const formatText = (format: string, values: readonly CelValue[]): string => {
  let next = 0;
  return readFormat(format)
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = values[next];
      if (value === undefined) throw new CelError(`index ${next} out of range`);
      next += 1;
      return clauseText(part, value);
    })
    .join('');
};
