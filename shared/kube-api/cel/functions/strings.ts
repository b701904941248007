import { quote } from '../../quote.ts';
import { compileRegex } from '../regex.ts';
import { CelError, type CelValue, isList } from '../value.ts';
import { type CelFunction, define } from './define.ts';
import { formatText } from './format-text.ts';
import { trimSpace } from './space.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

const isTexts = (value: CelValue | undefined): value is readonly string[] =>
  value !== undefined && isList(value as CelValue) && (value as readonly CelValue[]).every(isText);

const outOfRange = (index: bigint | number): CelError => new CelError(`index out of range: ${index}`);

/** Returns the position of `find` in `text` in code points, searching from `from`; -1 if it is not found. */
const indexOf = (points: readonly string[], wanted: readonly string[], from: number): bigint => {
  for (let at = from; at + wanted.length <= points.length; at += 1) {
    if (wanted.every((point, index) => points[at + index] === point)) return BigInt(at);
  }
  return -1n;
};

const lastIndexOf = (points: readonly string[], wanted: readonly string[], from: number): bigint => {
  for (let at = Math.min(from, points.length - wanted.length); at >= 0; at -= 1) {
    if (wanted.every((point, index) => points[at + index] === point)) return BigInt(at);
  }
  return -1n;
};

/** As in cel-go, nothing is found from a position after the last character, except the empty string. */
const searchedFrom = (search: typeof indexOf, text: string, find: string, from: bigint): bigint => {
  if (from < 0n) throw outOfRange(from);
  const points = [...text];
  const length = BigInt(points.length);
  if (find === '') return from > length ? length : from;
  return from >= length ? -1n : search(points, [...find], Number(from));
};

const searched = (search: typeof indexOf, isLast: boolean) => (text: CelValue, find?: CelValue, from?: CelValue) => {
  if (!isText(text) || !isText(find)) return undefined;
  if (typeof from === 'bigint') return searchedFrom(search, text, find, from);
  return from === undefined ? search([...text], [...find], isLast ? text.length : 0) : undefined;
};

const substring = (text: CelValue, start?: CelValue, end?: CelValue): CelValue | undefined => {
  if (!isText(text) || typeof start !== 'bigint') return undefined;
  const points = [...text];
  const last = end === undefined ? BigInt(points.length) : end;
  if (typeof last !== 'bigint') return undefined;
  if (start < 0n || start > BigInt(points.length)) throw outOfRange(start);
  if (last < 0n || last > BigInt(points.length)) throw outOfRange(last);
  if (start > last) throw new CelError(`invalid substring range. start: ${start}, end: ${last}`);
  return points.slice(Number(start), Number(last)).join('');
};

const charAt = (text: CelValue, index?: CelValue): CelValue | undefined => {
  if (!isText(text) || typeof index !== 'bigint') return undefined;
  const points = [...text];
  if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points[Number(index)] ?? '';
};

const replace = (text: CelValue, old?: CelValue, by?: CelValue, most?: CelValue): CelValue | undefined => {
  if (!isText(text) || !isText(old) || !isText(by)) return undefined;
  if (most !== undefined && typeof most !== 'bigint') return undefined;
  // The empty string matches before each character and at the end.
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  const count = most === undefined || most < 0n ? parts.length : Number(most);
  const head = parts.slice(0, count + 1).join(by);
  return parts.length <= count + 1 ? head : [head, ...parts.slice(count + 1)].join(old);
};

const split = (text: CelValue, separator?: CelValue, most?: CelValue): CelValue | undefined => {
  if (!isText(text) || !isText(separator)) return undefined;
  const parts = separator === '' ? [...text] : text.split(separator);
  if (most === undefined) return parts;
  if (typeof most !== 'bigint') return undefined;
  if (most === 0n) return [];
  if (most < 0n || BigInt(parts.length) <= most) return parts;
  const kept = parts.slice(0, Number(most) - 1);
  return [...kept, parts.slice(kept.length).join(separator)];
};

const ascii = (text: CelValue, isUpper: boolean): CelValue | undefined =>
  isText(text)
    ? text.replace(isUpper ? /[a-z]/g : /[A-Z]/g, (c) => (isUpper ? c.toUpperCase() : c.toLowerCase()))
    : undefined;

const twoTexts = (run: (text: string, other: string) => CelValue) => (text: CelValue, other?: CelValue) =>
  isText(text) && isText(other) ? run(text, other) : undefined;

const legalRegex = (pattern: string) => {
  try {
    return compileRegex(pattern);
  } catch (error) {
    throw error instanceof CelError ? new CelError(`Illegal regex: ${error.message}`) : error;
  }
};

const findAll = (text: CelValue, pattern?: CelValue, most?: CelValue): CelValue | undefined => {
  if (!isText(text) || !isText(pattern)) return undefined;
  const limit = most === undefined || (typeof most === 'bigint' && most < 0n) ? Number.POSITIVE_INFINITY : Number(most);
  const found: string[] = [];
  let end = -1;
  for (const matcher = legalRegex(pattern).matcher(text); found.length < limit && matcher.find(); ) {
    // Go ignores an empty match directly after the previous match.
    if (matcher.end() > matcher.start() || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return found;
};

const find = (text: string, pattern: string): CelValue => {
  const matcher = legalRegex(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
};

/** cel-go's strings library, version 2, and Kubernetes' regex library. */
export const stringFunctions: readonly CelFunction[] = [
  define(
    '.startsWith',
    twoTexts((text, other) => text.startsWith(other)),
  ),
  define(
    '.endsWith',
    twoTexts((text, other) => text.endsWith(other)),
  ),
  define(
    '.contains',
    twoTexts((text, other) => text.includes(other)),
  ),
  define(
    '.matches',
    twoTexts((text, pattern) => compileRegex(pattern).test(text)),
  ),
  define(
    'matches',
    twoTexts((text, pattern) => compileRegex(pattern).test(text)),
  ),
  define('.find', twoTexts(find)),
  define('.findAll', findAll),
  define('.charAt', charAt),
  define('.lowerAscii', (text) => ascii(text, false)),
  define('.upperAscii', (text) => ascii(text, true)),
  define('.trim', (text) => (isText(text) ? trimSpace(text) : undefined)),
  define('.replace', replace),
  define('.split', split),
  define('.substring', substring),
  define('.join', (list, separator) =>
    isTexts(list) && (separator === undefined || isText(separator)) ? list.join(separator ?? '') : undefined,
  ),
  define('.format', (text, values) =>
    isText(text) && values !== undefined && isList(values) ? formatText(text, values) : undefined,
  ),
  define('strings.quote', (_, text) => (isText(text) ? quote(text) : undefined)),
];

/** The string variants; lists have functions of the same names. */
export const indexOfText = searched(indexOf, false);
export const lastIndexOfText = searched(lastIndexOf, true);
