import { CelError } from '../value.ts';

/** A clause such as `%.2f`. */
export interface Clause {
  verb: string;
  precision: number | undefined;
}

const INTEGERS = 'clause can only be used on integers';

/** The types that each clause accepts, as error messages word them (ext/formatting.go). */
export const FORMAT_FAULTS: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: `decimal ${INTEGERS}`,
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: `octal ${INTEGERS}`,
};

/** No double has more decimals than this; printing more would only keep a function busy. */
const MAX_PRECISION = 1100;

const readClause = (text: string): { clause: Clause; length: number } => {
  const [dotted = ''] = /^\.\d*/.exec(text) ?? [];
  const verb = text[dotted.length];
  const at = 'could not parse formatting clause: ';
  if (verb === undefined) {
    throw new CelError(
      dotted === ''
        ? 'unexpected end of string'
        : `${at}error while parsing precision: could not find end of precision specifier`,
    );
  }
  if (dotted === '.') {
    const why = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
    throw new CelError(`${at}error while parsing precision: ${why}`);
  }
  if (!Object.hasOwn(FORMAT_FAULTS, verb)) throw new CelError(`${at}unrecognized formatting clause "${verb}"`);
  const precision = dotted === '' ? undefined : Number(dotted.slice(1));
  if (precision !== undefined && precision > MAX_PRECISION) {
    throw new CelError(`${at}precision ${precision} exceeds maximum allowed precision ${MAX_PRECISION}`);
  }
  return { clause: { verb, precision }, length: dotted.length + 1 };
};

/** Splits a format into literal text and clauses. Throws CelError. */
export const readFormat = (format: string): (string | Clause)[] => {
  const parts: (string | Clause)[] = [];
  for (let at = 0; at < format.length; ) {
    if (format[at] !== '%' || format[at + 1] === '%') {
      parts.push(format[at] as string);
      at += format[at] === '%' ? 2 : 1;
      continue;
    }
    const { clause, length } = readClause(format.slice(at + 1));
    parts.push(clause);
    at += 1 + length;
  }
  return parts;
};
