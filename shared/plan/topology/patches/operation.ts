import { copyJson, isObject, type JsonObject } from '../../../kube-api/json.ts';
import { TopologyError } from '../error.ts';

/** One of the RFC 6902 operations that patches of a class may contain. */
export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: unknown;
}

const keysOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

const childOf = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

const applyToList = (list: unknown[], key: string, { op, path, value }: Operation): void => {
  const index = key === '-' && op === 'add' ? list.length : Number(key);
  const most = op === 'add' ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > most) {
    throw new TopologyError(
      `error in ${op} for path: '${path}': unable to access invalid index: ${key}: invalid index referenced`,
    );
  }
  if (op === 'remove') list.splice(index, 1);
  else list.splice(index, op === 'replace' ? 1 : 0, copyJson(value));
};

const applyToObject = (object: JsonObject, key: string, { op, path, value }: Operation): void => {
  const isThere = Object.hasOwn(object, key);
  if (op === 'remove') {
    if (!isThere) {
      const why = `unable to remove nonexistent key: ${key}: missing value`;
      throw new TopologyError(`error in remove for path: '${path}': ${why}`);
    }
    delete object[key];
    return;
  }
  if (op === 'replace' && !isThere) {
    throw new TopologyError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
  object[key] = copyJson(value);
};

const apply = (document: JsonObject, operation: Operation): void => {
  const { op, path } = operation;
  const keys = keysOf(path);
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>(childOf, document);
  if (Array.isArray(parent)) applyToList(parent, last, operation);
  else if (isObject(parent) && last !== '__proto__') applyToObject(parent, last, operation);
  else {
    // Upstream quotes the path, except in a replacement.
    const missing = op === 'replace' ? path : `"${path}"`;
    throw new TopologyError(`${op} operation does not apply: doc is missing path: ${missing}: missing value`);
  }
};

/**
 * A copy of the document with the operations applied in order. Throws TopologyError for an operation that cannot be
 * applied, with the message of upstream's library (github.com/evanphx/json-patch/v5): a missing member cannot be
 * replaced or removed.
 */
export const applyOperations = (document: JsonObject, operations: readonly Operation[]): JsonObject => {
  const result = copyJson(document) as JsonObject;
  for (const operation of operations) apply(result, operation);
  return result;
};
