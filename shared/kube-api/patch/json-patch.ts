import jsonPatch, { type MoveOperation, type Operation } from 'fast-json-patch';
import { isObject, type JsonObject } from '../json.ts';
import { jsonTypeOf } from '../schema/undecodable.ts';
import { badRequest, StatusError } from '../status-error.ts';

const MAX_OPERATIONS = 10_000;

/** Upstream's limit for what all copy operations together may add; each copy could double the object. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 patch to a copy. Throws a StatusError: 400 if it is not a patch, 413 if it has too many
 * operations, 422 if it cannot be applied to the object, or if a `test` fails.
 */
export const applyJsonPatch = (target: JsonObject, patch: unknown): unknown => {
  const operations = patch ?? [];
  if (!Array.isArray(operations)) throw undecodable(operations, '[]handlers.jsonPatchOp');
  if (operations.length > MAX_OPERATIONS) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  const wrong = operations.find((operation) => !isObject(operation));
  if (wrong !== undefined) throw undecodable(wrong, 'handlers.jsonPatchOp');
  let document: unknown = structuredClone(target);
  let copied = 0;
  for (const operation of operations as unknown as Operation[]) {
    copied += copiedBytes(document, operation);
    if (copied > MAX_COPIED_BYTES) throw misfit();
    document = applyOperation(document, operation);
  }
  return document;
};

const undecodable = (given: unknown, goType: string): StatusError =>
  badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeOf(given)} into Go value of type ${goType}`);

const applyOperation = (document: unknown, operation: Operation): unknown => {
  if ([operation.path, 'from' in operation ? operation.from : ''].some((path) => hasEmptyIndex(document, path)))
    throw misfit();
  try {
    const lenient = leniently(document, withIndices(document, operation));
    if (expectsNothing(document, lenient)) return document;
    return lenient.op === 'move' ? moved(document, lenient) : applied(document, lenient).newDocument;
  } catch (error) {
    // The library explains the mismatch. Upstream does not, and scripts compare its message.
    if (error instanceof jsonPatch.JsonPatchError || error instanceof TypeError) throw misfit();
    throw error;
  }
};

const applied = (document: unknown, operation: Operation) =>
  jsonPatch.applyOperation(document, operation, true, true, true);

/**
 * The library's own move copies the value at the target and visits the moved value, and both may be large. Instead, a
 * null is added at the target, and then replaced without validation.
 */
const moved = (document: unknown, { from, path }: MoveOperation): unknown => {
  const { newDocument, removed } = applied(document, { op: 'remove', path: from });
  const place = withLastIndex(newDocument, path);
  const added = applied(newDocument, { op: 'add', path: place, value: null }).newDocument;
  return jsonPatch.applyOperation(added, { op: 'replace', path: place, value: removed }, false, true, true).newDocument;
};

/** Replaces a final `-` with the index that it stands for. */
const withLastIndex = (document: unknown, path: string): string => {
  if (typeof path !== 'string' || !path.endsWith('/-')) return path;
  const parent = path.slice(0, -2);
  const keys = parent.split('/').slice(1).map(jsonPatch.unescapePathComponent);
  const list = keys.reduce<unknown>(memberOf, document);
  return Array.isArray(list) ? `${parent}/${list.length}` : path;
};

/** The size of the value that the operation copies. */
const copiedBytes = (document: unknown, { op, ...operation }: Operation): number => {
  const from: unknown = op === 'copy' && 'from' in operation ? withIndex(document, operation.from, 0) : undefined;
  if (typeof from !== 'string' || !from.startsWith('/')) return from === '' ? sizeOf(document) : 0;
  return sizeOf(from.slice(1).split('/').map(jsonPatch.unescapePathComponent).reduce(memberOf, document));
};

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * Applies the leniency of upstream's library: replacing a missing member of an object adds it, copying one copies null,
 * and a missing value is null.
 */
const leniently = (document: unknown, operation: Operation): Operation => {
  const { op, path } = operation;
  if (op === 'copy' && isMissingMember(document, operation.from)) return { op: 'add', path, value: null };
  if (op === 'test') return { op, path, value: operation.value ?? null };
  if (op !== 'replace' && op !== 'add') return operation;
  const value: unknown = operation.value ?? null;
  return { op: op === 'replace' && isMissingMember(document, path) ? 'add' : op, path, value };
};

/** Reports whether the operation tests that a member is missing: upstream's library treats it as null. */
const expectsNothing = (document: unknown, operation: Operation): boolean =>
  operation.op === 'test' && operation.value === null && isMissingMember(document, operation.path);

/** Resolves negative indices, which upstream's library counts from the end of a list. */
const withIndices = (document: unknown, operation: Operation): Operation => {
  const { op } = operation;
  if (op === 'move') return { ...operation, from: withIndex(document, operation.from, 0) };
  const from = op === 'copy' ? { from: withIndex(document, operation.from, 0) } : {};
  const path = withIndex(document, operation.path, op === 'add' || op === 'copy' ? 1 : 0);
  return { ...operation, ...from, path } as Operation;
};

/** `added` is the number of items that the operation adds to the last list of the path. */
const withIndex = (document: unknown, path: unknown, added: number): string => {
  // A value that is not a path is rejected later.
  if (typeof path !== 'string' || !path.startsWith('/')) return path as string;
  const keys = path.slice(1).split('/');
  let value: unknown = document;
  const resolved = keys.map((key, position) => {
    const size = Array.isArray(value) && /^[+-]?\d+$/.test(key) ? value.length : undefined;
    const end = size === undefined ? 0 : size + (position === keys.length - 1 ? added : 0);
    const index = Number(key) < 0 ? Number(key) + end : Number(key);
    const own = size === undefined || index < 0 ? key : String(index);
    value = memberOf(value, jsonPatch.unescapePathComponent(own));
    return own;
  });
  return `/${resolved.join('/')}`;
};

/** Reports whether a list index in the path is empty: the library would use the first item. */
const hasEmptyIndex = (document: unknown, path: unknown): boolean => {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  let value: unknown = document;
  for (const key of path.slice(1).split('/').map(jsonPatch.unescapePathComponent)) {
    if (key === '' && Array.isArray(value)) return true;
    value = memberOf(value, key);
  }
  return false;
};

/** Reports whether the path leads to a missing member of an existing object. */
const isMissingMember = (document: unknown, path: unknown): boolean => {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  const keys = path.slice(1).split('/').map(jsonPatch.unescapePathComponent);
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>(memberOf, document);
  return isObject(parent) && !Object.hasOwn(parent, last);
};

const memberOf = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

const misfit = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
