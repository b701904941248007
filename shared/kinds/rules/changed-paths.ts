import { isDeepStrictEqual } from 'node:util';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The paths of all fields that a merge patch from `old` to `next` would contain, such as `spec.rollout.after`. An
 * object that exists on both sides or is new is traversed; a list, a scalar or a removed object counts as one field.
 */
export const changedPaths = (old: unknown, next: unknown, path: string): string[] => {
  if (isDeepStrictEqual(old, next)) return [];
  if (!isRecord(next)) return [path];
  const before = isRecord(old) ? old : {};
  return [...new Set([...Object.keys(before), ...Object.keys(next)])].flatMap((key) =>
    changedPaths(before[key], next[key], `${path}.${key}`),
  );
};

/** Whether a path is one of `fields` or lies below one. */
export const isWithin = (fields: readonly string[], path: string): boolean =>
  fields.some((field) => path === field || path.startsWith(`${field}.`));
