/** Plain JSON values: what objects of a kind that this code does not know are made of. */

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The path of a member: a key with a dot or slash is written in brackets, as the API server does for map keys. */
export const memberPath = (path: string, key: string): string => {
  if (/[./]/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
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
