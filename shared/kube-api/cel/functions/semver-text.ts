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
  const fault = `strconv.ParseUint: parsing ${JSON.stringify(text)}: `;
  if (text === '') throw new CelError(`${fault}invalid syntax`);
  if (BigInt(text) > MAX) throw new CelError(`${fault}value out of range`);
  return BigInt(text);
};

const TITLES = ['Major', 'Minor', 'Patch'];

const partOf = (text: string, index: number): bigint => {
  const title = TITLES[index] ?? '';
  if (!/^\d*$/.test(text)) {
    throw new CelError(`Invalid character(s) found in ${title.toLowerCase()} number ${JSON.stringify(text)}`);
  }
  if (hasLeadingZero(text)) {
    throw new CelError(`${title} number must not contain leading zeroes ${JSON.stringify(text)}`);
  }
  return numberOf(text);
};

const preReleasePart = (text: string): string => {
  if (text === '') throw new CelError('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (hasLeadingZero(text)) {
      throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(text)}`);
    }
    return String(numberOf(text));
  }
  if (!isWord(text)) throw new CelError(`Invalid character(s) found in prerelease ${JSON.stringify(text)}`);
  return text;
};

const checkBuild = (text: string): void => {
  if (text === '') throw new CelError('Build meta data is empty');
  if (!isWord(text)) throw new CelError(`Invalid character(s) found in build meta data ${JSON.stringify(text)}`);
};

/** Splits at the first separator; the second part is undefined if the separator is missing. */
const cut = (text: string, sign: string): [string, string | undefined] => {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

/** Normalization also accepts versions such as `v1.2` and `1.02.3`. */
const normalized = (text: string): string => {
  const parts = text.trim().replace(/^v/, '').split('.');
  const numbers = parts.slice(0, 2);
  if (parts.length > 2) numbers.push(parts.slice(2).join('.'));
  const plain = numbers
    .map((part) => (part.length > 1 ? part.replace(/^0+/, '') : part))
    .map((part, index) => {
      const isEmpty = (parts[index] ?? '').length > 1 && !/^\d/.test(part);
      return isEmpty ? `0${part}` : part;
    });
  if (plain.length < 3 && /[+-]/.test(plain.at(-1) ?? '')) {
    throw new CelError('Short version cannot contain PreRelease/Build meta data');
  }
  while (plain.length < 3) plain.push('0');
  return plain.join('.');
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
