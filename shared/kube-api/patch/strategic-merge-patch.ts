import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { badRequest } from '../status-error.ts';
import { mergeByKey, textOf } from './merge-by-key.ts';

/**
 * Applies a strategic merge patch to a built-in kind. It is like a merge patch, but lists whose schema says
 * `patch-strategy: merge` are merged by key
 * (https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md).
 * Throws a StatusError 400 for invalid directives.
 */
export const applyStrategicMergePatch = (schema: OpenApiSchema, target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) throw badRequest('error decoding patch: the patch is not an object');
  return mergeObject(schema, isObject(target) ? target : {}, patch);
};

const DELETE_PRIMITIVES = '$deleteFromPrimitiveList';
const SET_ORDER = '$setElementOrder';

/** The list that a directive such as `$setElementOrder/ports` applies to; undefined for other keys. */
const listOf = (directive: string, key: string): string | undefined => {
  if (!key.startsWith(directive)) return undefined;
  if (key.startsWith(`${directive}/`)) return key.slice(directive.length + 1);
  const what = directive === SET_ORDER ? 'setElementOrder' : 'primitive';
  throw badRequest(`invalid patch format of ${what} list`);
};

const mergeObject = (schema: OpenApiSchema, target: JsonObject, patch: JsonObject): JsonObject => {
  const { $patch: directive, $retainKeys: retain, ...fields } = patch;
  if (directive === 'replace') return fields;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw badRequest(`unknown patch directive: ${String(directive)}`);
  const result = retain === undefined ? { ...target } : retainKeys(target, fields, retain);
  for (const [key, value] of Object.entries(fields)) {
    if (listOf(SET_ORDER, key) !== undefined) continue;
    const primitives = listOf(DELETE_PRIMITIVES, key);
    if (primitives !== undefined) removePrimitives(result, primitives, value);
    else if (value === null) delete result[key];
    else result[key] = mergeMember(memberSchema(schema, key), result[key], value);
  }
  orderLists(schema, result, target, fields);
  return result;
};

/** `$retainKeys` lists all members that the result may have; the patch must not set any others. */
const retainKeys = (target: JsonObject, fields: JsonObject, retain: unknown): JsonObject => {
  const kept = new Set(Array.isArray(retain) ? retain : []);
  if (!Array.isArray(retain) || Object.keys(fields).some((key) => !key.startsWith('$') && !kept.has(key))) {
    throw badRequest('invalid patch format of retainKeys');
  }
  return Object.fromEntries(Object.entries(target).filter(([key]) => kept.has(key)));
};

const memberSchema = (schema: OpenApiSchema, key: string): OpenApiSchema => {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, key)) return properties[key] ?? {};
  return isObject(additionalProperties) ? additionalProperties : {};
};

const mergeMember = (schema: OpenApiSchema, target: unknown, patch: unknown): unknown => {
  if (isObject(patch)) return mergeObject(schema, isObject(target) ? target : {}, patch);
  if (!Array.isArray(patch) || !isMerged(schema)) return patch;
  return mergeList(schema, Array.isArray(target) ? target : [], patch);
};

const mergeList = (schema: OpenApiSchema, target: unknown[], patch: unknown[]): unknown[] => {
  const key = schema['x-kubernetes-patch-merge-key'];
  if (key === undefined) {
    const known = new Set(target);
    return [...target, ...patch.filter((item) => !known.has(item))];
  }
  if (patch.some((item) => isObject(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !(isObject(item) && item.$patch === 'replace'));
  }
  return mergeByKey(key, target, patch, (old, item) => mergeObject(schema.items ?? {}, old, item));
};

const removePrimitives = (result: JsonObject, key: string, values: unknown): void => {
  const list = result[key];
  if (!Array.isArray(list) || !Array.isArray(values)) return;
  const removed = new Set(values);
  result[key] = list.filter((item) => !removed.has(item));
};

/** Orders the merged lists: those for which the patch sets an order, and those for which it has items. */
const orderLists = (schema: OpenApiSchema, result: JsonObject, target: JsonObject, fields: JsonObject): void => {
  for (const key of Object.keys(fields)) {
    const name = listOf(SET_ORDER, key) ?? key;
    const member = memberSchema(schema, name);
    const merged = result[name];
    if (!Array.isArray(merged) || !isMerged(member)) continue;
    const given = fields[name];
    const order = fields[`${SET_ORDER}/${name}`];
    if (order !== undefined && !Array.isArray(order)) throw badRequest('invalid patch format of setElementOrder list');
    const live = target[name];
    const lists = {
      merged,
      live: Array.isArray(live) ? live : [],
      order: order ?? (Array.isArray(given) ? given : []),
    };
    result[name] = inOrder(identityBy(member['x-kubernetes-patch-merge-key']), lists);
  }
};

const isMerged = (schema: OpenApiSchema): boolean =>
  schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') === true;

type Identity = (item: unknown) => unknown;

const identityBy =
  (key: string | undefined): Identity =>
  (item) =>
    key !== undefined && isObject(item) ? item[key] : item;

/**
 * Puts the named items in the given order. Other items keep their relative order, and stay before the first named item
 * that they preceded.
 */
const inOrder = (
  identity: Identity,
  { merged, live, order }: { merged: unknown[]; live: unknown[]; order: unknown[] },
): unknown[] => {
  const named = order.map(identity);
  const isNamed = new Set(named);
  const others = merged.filter((item) => !isNamed.has(identity(item)));
  const places = firstPlaces(live.map(identity));
  const placeOf = (item: unknown): number => places.get(identity(item)) ?? -1;
  const items = firstPlaces(merged.map((item) => textOf(identity(item))));
  const result: unknown[] = [];
  let next = 0;
  for (const name of named) {
    const item = merged[items.get(textOf(name)) ?? -1];
    if (item === undefined) continue;
    const place = placeOf(item);
    for (; next < others.length && placeOf(others[next]) >= 0 && placeOf(others[next]) < place; next += 1)
      result.push(others[next]);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
};

/** The first index of each value. */
const firstPlaces = (values: readonly unknown[]): Map<unknown, number> => {
  const places = new Map<unknown, number>();
  for (const [index, value] of values.entries()) if (!places.has(value)) places.set(value, index);
  return places;
};
