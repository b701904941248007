/** A three-way merge of JSON documents, like `kubectl apply` for custom resources (RFC 7386 patches). */

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (a: Json, b: Json): boolean => {
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  return a === b;
};

const removals = (before: JsonObject, wanted: JsonObject, current: JsonObject): [string, null][] =>
  Object.keys(before)
    .filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(current, key))
    .map((key) => [key, null]);

/**
 * The merge patch from `current` to the desired state: fields in `wanted` are set, fields of `before` (applied last
 * time) that are no longer in `wanted` are removed, and others' fields stay. Empty if there is nothing to do.
 */
export const threeWayPatch = (before: JsonObject, wanted: JsonObject, current: JsonObject): Record<string, Json> => {
  const changes = Object.entries(wanted).flatMap(([key, value]): [string, Json][] => {
    const now = current[key];
    if (!isObject(value)) return isSame(value, now) ? [] : [[key, value]];
    if (!isObject(now)) return [[key, value]];
    const old = before[key];
    const inner = threeWayPatch(isObject(old) ? old : {}, value, now);
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries([...changes, ...removals(before, wanted, current)]);
};
