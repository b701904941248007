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

/** Nulls in objects set nothing; lists are values. Undefined if an object consists only of nulls. */
const withoutNulls = (value: Json): Json => {
  if (!isObject(value)) return value ?? undefined;
  const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    const kept = withoutNulls(member);
    return kept === undefined ? [] : [[key, kept]];
  });
  return members.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(members);
};

const isRemoved = (key: string, before: JsonObject, wanted: JsonObject): boolean => {
  if (!Object.hasOwn(wanted, key)) return Object.hasOwn(before, key);
  // A null that was applied before changes nothing: the current value belongs to other writers.
  return wanted[key] === null && before[key] !== null;
};

const removals = (before: JsonObject, wanted: JsonObject, current: JsonObject): [string, null][] =>
  Object.keys(current)
    .filter((key) => isRemoved(key, before, wanted))
    .map((key) => [key, null]);

/**
 * The merge patch from `current` to the desired state: fields in `wanted` are set, fields of `before` (applied last
 * time) that are no longer in `wanted` are removed, and others' fields stay. A null in `wanted` removes a field once.
 * Empty if there is nothing to do.
 */
export const threeWayPatch = (before: JsonObject, wanted: JsonObject, current: JsonObject): Record<string, Json> => {
  const changes = Object.entries(wanted).flatMap(([key, value]): [string, Json][] => {
    const now = current[key];
    const set = withoutNulls(value);
    if (!isObject(value) || !isObject(now)) return set === undefined || isSame(set, now) ? [] : [[key, set]];
    const old = before[key];
    const inner = threeWayPatch(isObject(old) ? old : {}, value, now);
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries([...changes, ...removals(before, wanted, current)]);
};
