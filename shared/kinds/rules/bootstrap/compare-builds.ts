import { compareVersions } from './version.ts';

/** `unordered`: the versions differ, and neither is newer, for example because of non-numeric build identifiers. */
export type VersionOrder = 'older' | 'same' | 'newer' | 'unordered';

const orderOf = (difference: number): VersionOrder => {
  if (difference === 0) return 'same';
  return difference < 0 ? 'older' : 'newer';
};

const buildsOf = (version: string): string[] =>
  version.includes('+') ? version.replace(/^[^+]*\+/, '').split('.') : [];

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier);

const compareIdentifiers = (a: string, b: string): VersionOrder => {
  if (isNumber(a) && isNumber(b)) return orderOf(Number(a) - Number(b));
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? 'older' : 'newer';
  return a === b ? 'same' : 'unordered';
};

/** Compares two versions with their builds (Cluster API's util/version, Compare with WithBuildTags). */
export const compareWithBuilds = (a: string, b: string): VersionOrder => {
  const release = compareVersions(a, b);
  if (release !== 0) return orderOf(release);
  const [left, right] = [buildsOf(a), buildsOf(b)];
  for (const [index, identifier] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 'newer';
    const order = compareIdentifiers(identifier, other);
    if (order !== 'same') return order;
  }
  return left.length < right.length ? 'older' : 'same';
};
