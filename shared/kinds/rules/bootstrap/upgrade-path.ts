import { invalidValue } from '../../../kube-api/field-error.ts';
import type { KubeObject } from '../../../kube-api/object.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { parseVersion } from './version.ts';

/**
 * Windlass's own annotation: the versions through which a control plane is upgraded to `spec.version`, one per minor
 * version: `v1.32.9,v1.33.5`.
 */
export const UPGRADE_PATH = 'windlass.dev/upgrade-path';

export const minorOf = (version: string): number => parseVersion(version)?.minor ?? Number.NaN;

/** The versions in an object's annotation, in order. */
export const pathOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string[] =>
  (metadata.annotations?.[UPGRADE_PATH] ?? '')
    .split(',')
    .map((version) => version.trim())
    .filter((version) => version !== '');

/** Whether the path contains a version for every minor version between two versions, so that no step skips one. */
export const leadsFrom = (path: readonly string[], from: string, to: string): boolean => {
  const minors = new Set(path.map(minorOf));
  const gap = Math.max(minorOf(to) - minorOf(from) - 1, 0);
  const isSameMajor = parseVersion(from)?.major === parseVersion(to)?.major;
  return (
    isSameMajor && Array.from({ length: gap }, (_, index) => minorOf(from) + 1 + index).every((m) => minors.has(m))
  );
};

/** Every entry of the path must be a version, one minor version after the previous one. */
export const validatePath = (object: Pick<KubeObject, 'metadata'>): FieldError[] => {
  const path = pathOf(object);
  const field = `metadata.annotations[${UPGRADE_PATH}]`;
  const wrong = path.find((version) => !version.startsWith('v') || !parseVersion(version));
  if (wrong) return [invalidValue(field, wrong, 'must be a semantic version that starts with v')];
  const jump = path.find((version, index) => index > 0 && minorOf(version) !== minorOf(path[index - 1] ?? '') + 1);
  return jump ? [invalidValue(field, jump, 'must be of the minor after the version before it')] : [];
};
