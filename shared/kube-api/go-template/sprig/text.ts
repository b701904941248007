import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { RE2JS } from 're2js';
import type { Functions, TemplateFunction } from '../functions.ts';
import { TemplateError } from '../scan.ts';
import { isValues, type Value } from '../values.ts';
import { intOf, needList, needText, textOf } from './convert.ts';

/** A function with `count` string arguments. */
const onTexts = (name: string, count: number, run: (...texts: string[]) => Value): TemplateFunction => ({
  takes: [count, count],
  run: (...values) => run(...values.map((value) => needText(name, value))),
});

const without = (text: string, cut: string): string => {
  const set = new Set(cut);
  const points = [...text];
  const start = points.findIndex((point) => !set.has(point));
  return start < 0 ? '' : points.slice(start, points.findLastIndex((point) => !set.has(point)) + 1).join('');
};

const MOST_REPEATED = 100_000;

const repeat = (count: Value, text: Value): string => {
  const times = Number(intOf(count));
  const given = needText('repeat', text);
  if (times < 0 || times * given.length > MOST_REPEATED) throw new TemplateError('calls repeat for too much text');
  return given.repeat(times);
};

const indent = (spaces: Value, text: Value): string => {
  const pad = repeat(intOf(spaces), ' ');
  return pad + needText('indent', text).replaceAll('\n', `\n${pad}`);
};

const substr = (start: Value, end: Value, text: Value): string => {
  const bytes = Buffer.from(needText('substr', text));
  const [from, to] = [Number(intOf(start)), Number(intOf(end))];
  if (from < 0) return bytes.subarray(0, Math.max(to, 0)).toString();
  return bytes.subarray(from, to < 0 || to > bytes.length ? bytes.length : to).toString();
};

const trunc = (count: Value, text: Value): string => {
  const bytes = Buffer.from(needText('trunc', text));
  const most = Number(intOf(count));
  if (most < 0) return -most < bytes.length ? bytes.subarray(bytes.length + most).toString() : bytes.toString();
  return bytes.subarray(0, most).toString();
};

/** Like Go's strconv.Quote, for the strings that occur in manifests. */
const quoted = (values: readonly Value[], mark: '"' | "'"): string =>
  values
    .filter((value) => value !== undefined && value !== null)
    .map((value) => (mark === '"' ? JSON.stringify(textOf(value)) : `'${textOf(value)}'`))
    .join(' ');

const joined = (separator: Value, value: Value): string => {
  const texts = isValues(value) ? value.filter((it) => it !== undefined && it !== null).map(textOf) : [textOf(value)];
  return texts.join(needText('join', separator));
};

const regex = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new TemplateError('has a regular expression that is not valid');
  }
};

const findFirst = (pattern: string, text: string): string => {
  const matcher = regex(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
};

/**
 * Expands Go's `$1` and `${1}` in a replacement. A name includes all following letters, digits and underscores, so
 * `$1x` is not group 1.
 */
const expand = (template: string, groups: readonly (string | undefined)[]): string =>
  template.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, name?: string, braced?: string) => {
    if (whole === '$$') return '$';
    const group = name ?? braced ?? '';
    return /^\d+$/.test(group) ? (groups[Number(group)] ?? '') : '';
  });

const replaceAll = (pattern: string, text: string, by: string): string => {
  const matcher = regex(pattern).matcher(text);
  let [result, from] = ['', 0];
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? undefined);
    result += text.slice(from, matcher.start()) + expand(by, groups);
    from = matcher.end();
  }
  return result + text.slice(from);
};

/** A counted repetition such as `{1,9}` compiles into up to 1000 instructions. */
const sizeOfPattern = (pattern: string): number => pattern.length + 1000 * (pattern.split('{').length - 1);

/** RE2JS compiles in quadratic time, and then tries each instruction with each character. */
const matching = ([pattern, text]: readonly Value[], sizeOf: (value: Value) => number): number => {
  const size = typeof pattern === 'string' ? sizeOfPattern(pattern) : 0;
  return (size * size) / 25 + size * sizeOf(text);
};

const replacing = (values: readonly Value[], sizeOf: (value: Value) => number): number => {
  const [, text, by] = values;
  return matching(values, sizeOf) + sizeOf(text) * sizeOf(by);
};

/** The occurrences of `part` in a string, times the number of characters written for each. */
const times = (part: string, text: Value, written: number): number =>
  typeof text === 'string' ? text.split(part).length * written : 0;

const indenting = ([spaces, text]: readonly Value[]): number => times('\n', text, Number(intOf(spaces)));

const hashed = (algorithm: string) => (text: string) => createHash(algorithm).update(text).digest('hex');

const titled = (text: string): string =>
  text.replace(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());

/** The supported string functions of sprig. */
export const TEXT_FUNCTIONS: Functions = {
  upper: onTexts('upper', 1, (text) => text.toUpperCase()),
  lower: onTexts('lower', 1, (text) => text.toLowerCase()),
  title: onTexts('title', 1, titled),
  trim: onTexts('trim', 1, (text) => text.trim()),
  trimAll: onTexts('trimAll', 2, (cut, text) => without(text, cut)),
  trimPrefix: onTexts('trimPrefix', 2, (cut, text) => (text.startsWith(cut) ? text.slice(cut.length) : text)),
  trimSuffix: onTexts('trimSuffix', 2, (cut, text) =>
    cut !== '' && text.endsWith(cut) ? text.slice(0, -cut.length) : text,
  ),
  nospace: onTexts('nospace', 1, (text) => text.replace(/\s/gu, '')),
  replace: {
    ...onTexts('replace', 3, (old, by, text) => text.split(old).join(by)),
    work: ([old, by, text], sizeOf) => times(String(old), text, sizeOf(by)),
  },
  contains: onTexts('contains', 2, (part, text) => text.includes(part)),
  hasPrefix: onTexts('hasPrefix', 2, (part, text) => text.startsWith(part)),
  hasSuffix: onTexts('hasSuffix', 2, (part, text) => text.endsWith(part)),
  repeat: { takes: [2, 2], run: repeat },
  substr: { takes: [3, 3], run: substr },
  trunc: { takes: [2, 2], run: trunc },
  indent: { takes: [2, 2], run: indent, work: indenting },
  nindent: { takes: [2, 2], run: (spaces, text) => `\n${indent(spaces, text)}`, work: indenting },
  quote: { takes: [0, Number.POSITIVE_INFINITY], run: (...values) => quoted(values, '"') },
  squote: { takes: [0, Number.POSITIVE_INFINITY], run: (...values) => quoted(values, "'") },
  cat: {
    takes: [0, Number.POSITIVE_INFINITY],
    run: (...values) =>
      values
        .filter((it) => it != null)
        .map(textOf)
        .join(' '),
  },
  toString: { takes: [1, 1] as const, run: textOf },
  toStrings: { takes: [1, 1], run: (list) => needList('toStrings', list).map(textOf) },
  join: {
    takes: [2, 2],
    run: joined,
    work: ([separator, list], sizeOf) => (isValues(list) ? list.length * sizeOf(separator) : 0),
  },
  splitList: onTexts('splitList', 2, (separator, text) => text.split(separator)),
  b64enc: onTexts('b64enc', 1, (text) => Buffer.from(text).toString('base64')),
  b64dec: onTexts('b64dec', 1, (text) => Buffer.from(text, 'base64').toString()),
  sha1sum: onTexts('sha1sum', 1, hashed('sha1')),
  sha256sum: onTexts('sha256sum', 1, hashed('sha256')),
  sha512sum: onTexts('sha512sum', 1, hashed('sha512')),
  regexMatch: { ...onTexts('regexMatch', 2, (pattern, text) => regex(pattern).test(text)), work: matching },
  regexFind: { ...onTexts('regexFind', 2, findFirst), work: matching },
  regexReplaceAll: { ...onTexts('regexReplaceAll', 3, replaceAll), work: replacing },
};
