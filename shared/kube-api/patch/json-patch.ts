import jsonPatch, { type MoveOperation, type Operation } from 'fast-json-patch';
import { isObject, type JsonObject } from '../json.ts';
import { jsonTypeOf } from '../schema/undecodable.ts';
import { badRequest, StatusError } from '../status-error.ts';

const MAX_OPERATIONS = 10_000;

/** By which all copies may increase the object together, as upstream: each could double it. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 patch to a copy. Throws a StatusError: 400 for what is no patch, 413 for one of too many
 * operations, 422 for one that does not fit the object (also a `test` that fails).
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
    // The library says what did not fit; upstream does not, and scripts compare with what it says.
    if (error instanceof jsonPatch.JsonPatchError || error instanceof TypeError) throw misfit();
    throw error;
  }
};

const applied = (document: unknown, operation: Operation) =>
  jsonPatch.applyOperation(document, operation, true, true, true);

/**
 * The library would copy what is at the target before, and go through the value that is moved: both may be large. A
 * null is added in its place, and replaced without a check.
 */
const moved = (document: unknown, { from, path }: MoveOperation): unknown => {
  const { newDocument, removed } = applied(document, { op: 'remove', path: from });
  const place = withLastIndex(newDocument, path);
  const added = applied(newDocument, { op: 'add', path: place, value: null }).newDocument;
  return jsonPatch.applyOperation(added, { op: 'replace', path: place, value: removed }, false, true, true).newDocument;
};

/** The path with the index that `-` stands for. */
const withLastIndex = (document: unknown, path: string): string => {
  if (typeof path !== 'string' || !path.endsWith('/-')) return path;
  const parent = path.slice(0, -2);
  const keys = parent.split('/').slice(1).map(jsonPatch.unescapePathComponent);
  const list = keys.reduce<unknown>(memberOf, document);
  return Array.isArray(list) ? `${parent}/${list.length}` : path;
};

/** The size of what an operation copies. */
const copiedBytes = (document: unknown, { op, ...operation }: Operation): number => {
  const from: unknown = op === 'copy' && 'from' in operation ? withIndex(document, operation.from, 0) : undefined;
  if (typeof from !== 'string' || !from.startsWith('/')) return from === '' ? sizeOf(document) : 0;
  return sizeOf(from.slice(1).split('/').map(jsonPatch.unescapePathComponent).reduce(memberOf, document));
};

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/**
 * What upstream's library lets pass beyond the RFC: to replace a member of an object that is not there adds it, to copy
 * one copies null, and a value that is left out is null.
 */
const leniently = (document: unknown, operation: Operation): Operation => {
  const { op, path } = operation;
  if (op === 'copy' && isMissingMember(document, operation.from)) return { op: 'add', path, value: null };
  if (op === 'test') return { op, path, value: operation.value ?? null };
  if (op !== 'replace' && op !== 'add') return operation;
  const value: unknown = operation.value ?? null;
  return { op: op === 'replace' && isMissingMember(document, path) ? 'add' : op, path, value };
};

/** Whether the operation tests that a member is not there: for upstream's library such a member is null. */
const expectsNothing = (document: unknown, operation: Operation): boolean =>
  operation.op === 'test' && operation.value === null && isMissingMember(document, operation.path);

/** The operation with indices from the start of a list: upstream's library counts negative ones from its end. */
const withIndices = (document: unknown, operation: Operation): Operation => {
  const { op } = operation;
  if (op === 'move') return { ...operation, from: withIndex(document, operation.from, 0) };
  const from = op === 'copy' ? { from: withIndex(document, operation.from, 0) } : {};
  const path = withIndex(document, operation.path, op === 'add' || op === 'copy' ? 1 : 0);
  return { ...operation, ...from, path } as Operation;
};

/** `added`: the number of items by which the last list grows. */
const withIndex = (document: unknown, path: unknown, added: number): string => {
  // Whatever is no path is refused later.
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

/** Whether the path has an empty index of a list: the library would take the first item. */
const hasEmptyIndex = (document: unknown, path: unknown): boolean => {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  let value: unknown = document;
  for (const key of path.slice(1).split('/').map(jsonPatch.unescapePathComponent)) {
    if (key === '' && Array.isArray(value)) return true;
    value = memberOf(value, key);
  }
  return false;
};

/** Whether the path leads to an existing object without the member. */
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
