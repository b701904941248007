import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';

const NUMBER = '(0|[1-9]\\d*)';
const SEMVER = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$`);

export interface KubernetesVersion {
  major: number;
  minor: number;
  patch: number;
}

/** Major, minor and patch of `v1.34.0`, with or without the `v`; undefined where it is not a semantic version. */
export const parseVersion = (version: string): KubernetesVersion | undefined => {
  const [, major, minor, patch] = SEMVER.exec(version.replace(/^v/, '')) ?? [];
  if (major === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
};

/** `1.34.0` becomes `v1.34.0`, as the defaulters of Cluster API have it. */
export const withVersionPrefix = (version: string): string => (version.startsWith('v') ? version : `v${version}`);

export const validateVersion = (version: string, field: string): FieldError[] => [
  ...(version.startsWith('v') ? [] : [invalidValue(field, version, 'must start with v')]),
  ...(parseVersion(version) ? [] : [invalidValue(field, version, 'must be a valid semantic version')]),
];

/** An update may raise the minor version by one at most (KCP's webhook; downgrades it does not refuse). */
export const skipsMinor = (from: string, to: string): boolean => {
  const [old, next] = [parseVersion(from), parseVersion(to)];
  if (!old || !next) return false;
  return next.major > old.major || (next.major === old.major && next.minor >= old.minor + 2);
};
