import { copyJson, isObject, type JsonObject } from '../../kube-api/json.ts';

/** Names of members from the outermost to the innermost. */
export type Path = readonly string[];

/** The value at a path; undefined if there is none. */
export const valueAt = (object: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), object);

/**
 * A copy of the object with a value at a path. Objects on the way are created; undefined leaves the object unchanged.
 */
export const withValue = (object: JsonObject, [key, ...rest]: Path, value: unknown): JsonObject => {
  if (key === undefined || value === undefined) return object;
  if (rest.length === 0) return { ...object, [key]: copyJson(value) };
  const inner = object[key];
  return { ...object, [key]: withValue(isObject(inner) ? inner : {}, rest, value) };
};
