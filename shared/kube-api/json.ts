/** Plain JSON values: what objects of a kind that this code does not know are made of. */

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A deep copy; several times as fast as structuredClone, which has to support more than JSON. */
export const copyJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    // An assignment would change the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copyJson(value[key]), enumerable: true });
    else copy[key] = copyJson(value[key]);
  }
  return copy;
};

/** The same value, deeply frozen. A frozen object is assumed to be deeply frozen. */
export const freezeJson = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freezeJson(member);
  return Object.freeze(value);
};

/** Members, or items, each without what JSON cannot say; undefined where nothing has changed. */
const changedMembers = (value: JsonObject): [string, unknown][] | undefined => {
  let isChanged = false;
  const members: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const kept = withoutUndefined(value[key]);
    if (kept !== value[key] || kept === undefined) isChanged = true;
    if (kept !== undefined) members.push([key, kept]);
  }
  return isChanged ? members : undefined;
};

/**
 * The value without undefined members, as in JSON: undefined items of lists are null. A value without them is not
 * copied.
 */
export const withoutUndefined = <T>(value: T): T => {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  if (!isObject(value)) return value;
  const members = changedMembers(value);
  // Defines each member, whatever its name, where an assignment could change the prototype.
  return members === undefined ? value : (Object.fromEntries(members) as T);
};

/** Whether a value consists of more than `most` values: objects, lists, and what they contain. */
export const hasMoreValues = (value: unknown, most: number): boolean => {
  let left = most;
  const exceeds = (one: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    return typeof one === 'object' && one !== null && Object.values(one).some(exceeds);
  };
  return exceeds(value);
};

/** The path of a member: a key with a dot or slash is written in brackets, as the API server does for map keys. */
export const memberPath = (path: string, key: string): string => {
  if (/[./]/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** Whether objects and lists lie in each other deeper than so many levels. */
export const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
};

/** The path of the first key `__proto__` in `value`, which would change a prototype when it is copied; else undefined. */
export const findPrototypeKey = (value: unknown, path = ''): string | undefined => {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findPrototypeKey(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    const found = key === '__proto__' ? memberPath(path, key) : findPrototypeKey(value[key], memberPath(path, key));
    if (found !== undefined) return found;
  }
  return undefined;
};
