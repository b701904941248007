import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';

const NUMBER = '(0|[1-9]\\d*)';
const SEMVER = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$`);

export interface KubernetesVersion {
  major: number;
  minor: number;
  patch: number;
}

/** Major, minor and patch of `v1.34.0`, with or without the `v`; undefined if it is not a semantic version. */
export const parseVersion = (version: string): KubernetesVersion | undefined => {
  const [, major, minor, patch] = SEMVER.exec(version.replace(/^v/, '')) ?? [];
  if (major === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
};

/** Like `parseVersion`, but missing parts count as zero: external providers also write `v1.34`. */
export const parseTolerantly = (version: string): KubernetesVersion | undefined => parseVersion(inFull(version));

/** `v1.34` becomes `v1.34.0`; other texts are left unchanged. */
export const inFull = (version: string): string => {
  const [prefix, rest] = version.startsWith('v') ? ['v', version.slice(1)] : ['', version];
  return /^\d+(\.\d+)?$/.test(rest) ? `${prefix}${[...rest.split('.'), '0', '0'].slice(0, 3).join('.')}` : version;
};

/** `1.34.0` becomes `v1.34.0`, as in the defaulters of Cluster API. */
export const withVersionPrefix = (version: string): string => (version.startsWith('v') ? version : `v${version}`);

export const validateVersion = (version: string, field: string): FieldError[] => [
  ...(version.startsWith('v') ? [] : [invalidValue(field, version, 'must start with v')]),
  ...(parseVersion(version) ? [] : [invalidValue(field, version, 'must be a valid semantic version')]),
];

/** An update may raise the minor version by at most one (KCP's webhook). */
export const skipsMinor = (from: string, to: string): boolean => {
  const [old, next] = [parseVersion(from), parseVersion(to)];
  if (!old || !next) return false;
  return next.major > old.major || (next.major === old.major && next.minor >= old.minor + 2);
};

/** Whether `to` has a lower minor version than `from`. */
export const lowersMinor = (from: string, to: string): boolean => {
  const [old, next] = [parseVersion(from), parseVersion(to)];
  if (!old || !next) return false;
  return next.major < old.major || (next.major === old.major && next.minor < old.minor);
};

const identifiers = (version: string): string[] => version.replace(/\+.*/, '').split('-').slice(1).join('-').split('.');

const compareIdentifiers = (a: string | undefined, b: string | undefined): number => {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const [left, right] = [Number(a), Number(b)];
  const areNumbers = !Number.isNaN(left) && !Number.isNaN(right);
  if (areNumbers) return left - right;
  // Numbers come before words.
  if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1;
  return a < b ? -1 : 1;
};

/** Compares two versions by the rules of semantic versions: negative, zero or positive. Builds are ignored. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) throw new TypeError(`not a semantic version: ${left ? b : a}`);
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (left[part] !== right[part]) return left[part] - right[part];
  }
  const [before, after] = [identifiers(a), identifiers(b)];
  if (before.join('.') === after.join('.')) return 0;
  // A release comes after its pre-releases.
  if (before.join('') === '' || after.join('') === '') return before.join('') === '' ? 1 : -1;
  const length = Math.max(before.length, after.length);
  return (
    Array.from({ length }, (_, index) => compareIdentifiers(before[index], after[index])).find((it) => it !== 0) ?? 0
  );
};

/** Like `compareVersions`, but a release is equal to its pre-releases. */
export const compareReleases = (a: string, b: string): number =>
  compareVersions(a.replace(/[-+].*/, ''), b.replace(/[-+].*/, ''));
