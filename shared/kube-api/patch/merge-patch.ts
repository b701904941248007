import { isObject, type JsonObject } from '../json.ts';

/**
 * Applies a merge patch (RFC 7386): members of `patch` replace those of `target`, null removes a member, and a patch
 * that is not an object replaces the whole value.
 */
export const applyMergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
};
