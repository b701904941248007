import { Buffer } from 'node:buffer';
import { quote } from '../../quote.ts';
import { CelError } from '../value.ts';

/** A version as github.com/blang/semver parses it: its numbers, and the identifiers of its pre-release. */
export interface Version {
  numbers: readonly bigint[];
  pre: readonly string[];
}

const MAX = 2n ** 64n - 1n;

const isWord = (text: string): boolean => /^[0-9A-Za-z-]*$/.test(text);

const hasLeadingZero = (text: string): boolean => text.length > 1 && text.startsWith('0');

const numberOf = (text: string): bigint => {
  const fault = `strconv.ParseUint: parsing ${quote(text)}: `;
  if (text === '') throw new CelError(`${fault}invalid syntax`);
  if (BigInt(text) > MAX) throw new CelError(`${fault}value out of range`);
  return BigInt(text);
};

const TITLES = ['Major', 'Minor', 'Patch'];

const partOf = (text: string, index: number): bigint => {
  const title = TITLES[index] ?? '';
  if (!/^\d*$/.test(text)) {
    throw new CelError(`Invalid character(s) found in ${title.toLowerCase()} number ${quote(text)}`);
  }
  if (hasLeadingZero(text)) {
    throw new CelError(`${title} number must not contain leading zeroes ${quote(text)}`);
  }
  return numberOf(text);
};

const preReleasePart = (text: string): string => {
  if (text === '') throw new CelError('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (hasLeadingZero(text)) {
      throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
    }
    return String(numberOf(text));
  }
  if (!isWord(text)) throw new CelError(`Invalid character(s) found in prerelease ${quote(text)}`);
  return text;
};

const checkBuild = (text: string): void => {
  if (text === '') throw new CelError('Build meta data is empty');
  if (!isWord(text)) throw new CelError(`Invalid character(s) found in build meta data ${quote(text)}`);
};

/** Splits at the first separator; the second part is undefined if the separator is missing. */
const cut = (text: string, sign: string): [string, string | undefined] => {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

const withoutZeros = (part: string): string => {
  if (Buffer.byteLength(part) <= 1) return part;
  const plain = part.replace(/^0+/, '');
  return /^\d/.test(plain) ? plain : `0${plain}`;
};

/** Normalization also accepts versions such as `v1.2` and `1.02.3`. */
const normalized = (text: string): string => {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new CelError('short version cannot contain PreRelease/Build meta data');
  }
  return [...parts.map(withoutZeros), '0', '0'].slice(0, 3).join('.');
};

/** Throws CelError if the string is not a version. */
export const readVersion = (given: string, normalizes: boolean): Version => {
  const text = normalizes ? normalized(given) : given;
  if (text === '') throw new CelError('Version string empty');
  const [major = '', minor, ...rest] = text.split('.');
  if (minor === undefined || rest.length === 0) throw new CelError('No Major.Minor.Patch elements found');
  const [beforeBuild, build] = cut(rest.join('.'), '+');
  const [patch, pre] = cut(beforeBuild, '-');
  const numbers = [partOf(major, 0), partOf(minor, 1), partOf(patch, 2)];
  const parts = pre === undefined ? [] : pre.split('.').map(preReleasePart);
  if (build !== undefined) for (const part of build.split('.')) checkBuild(part);
  return { numbers, pre: parts };
};
