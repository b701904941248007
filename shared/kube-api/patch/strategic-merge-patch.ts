import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { badRequest } from '../status-error.ts';

/**
 * Strategic merge patch of built-in kinds: like a merge patch, but lists whose schema says `patch-strategy: merge` are
 * merged by their key
 * (https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md).
 * Throws a StatusError 400 for directives that do not fit.
 */
export const applyStrategicMergePatch = (schema: OpenApiSchema, target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) throw badRequest('error decoding patch: the patch is not an object');
  return mergeObject(schema, isObject(target) ? target : {}, patch);
};

const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';

const mergeObject = (schema: OpenApiSchema, target: JsonObject, patch: JsonObject): JsonObject => {
  const { $patch: directive, $retainKeys: retain, ...fields } = patch;
  if (directive === 'replace') return fields;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw badRequest(`unknown patch directive: ${String(directive)}`);
  const result: JsonObject = Array.isArray(retain)
    ? Object.fromEntries(Object.entries(target).filter(([key]) => retain.includes(key)))
    : { ...target };
  for (const [key, value] of Object.entries(fields)) {
    if (key.startsWith(SET_ORDER)) continue;
    if (key.startsWith(DELETE_PRIMITIVES)) removePrimitives(result, key.slice(DELETE_PRIMITIVES.length), value);
    else if (value === null) delete result[key];
    else result[key] = mergeMember(memberSchema(schema, key), result[key], value);
  }
  applyOrders(schema, result, fields);
  return result;
};

const memberSchema = (schema: OpenApiSchema, key: string): OpenApiSchema => {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, key)) return properties[key] ?? {};
  return isObject(additionalProperties) ? additionalProperties : {};
};

const mergeMember = (schema: OpenApiSchema, target: unknown, patch: unknown): unknown => {
  if (isObject(patch)) return mergeObject(schema, isObject(target) ? target : {}, patch);
  const merged = schema['x-kubernetes-patch-strategy']?.split(',').includes('merge');
  if (!Array.isArray(patch) || !merged) return patch;
  return mergeList(schema, Array.isArray(target) ? target : [], patch);
};

const mergeList = (schema: OpenApiSchema, target: unknown[], patch: unknown[]): unknown[] => {
  const key = schema['x-kubernetes-patch-merge-key'];
  if (key === undefined) return [...target, ...patch.filter((item) => !target.includes(item))];
  if (patch.some((item) => isObject(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !(isObject(item) && item.$patch === 'replace'));
  }
  return patch.reduce<unknown[]>((list, item) => mergeItem(schema.items ?? {}, key, list, item), target);
};

const mergeItem = (schema: OpenApiSchema, key: string, list: unknown[], item: unknown): unknown[] => {
  if (!isObject(item) || item[key] === undefined) {
    throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
  }
  const index = list.findIndex((other) => isObject(other) && isDeepStrictEqual(other[key], item[key]));
  if (item.$patch === 'delete') return list.filter((_, position) => position !== index);
  const old = list[index];
  const merged = mergeObject(schema, isObject(old) ? old : {}, item);
  return index < 0 ? [...list, merged] : list.with(index, merged);
};

const removePrimitives = (result: JsonObject, key: string, values: unknown): void => {
  const list = result[key];
  if (Array.isArray(list) && Array.isArray(values)) result[key] = list.filter((item) => !values.includes(item));
};

/** `$setElementOrder/x` sorts the merged list; items that it does not name keep their place behind the named ones. */
const applyOrders = (schema: OpenApiSchema, result: JsonObject, fields: JsonObject): void => {
  for (const [directive, order] of Object.entries(fields)) {
    const name = directive.startsWith(SET_ORDER) ? directive.slice(SET_ORDER.length) : undefined;
    const list = name === undefined ? undefined : result[name];
    if (name === undefined || !Array.isArray(list) || !Array.isArray(order)) continue;
    const key = memberSchema(schema, name)['x-kubernetes-patch-merge-key'];
    const identity = (item: unknown): unknown => (key !== undefined && isObject(item) ? item[key] : item);
    const places = order.map(identity);
    const placeOf = (item: unknown): number => {
      const place = places.indexOf(identity(item));
      return place < 0 ? places.length : place;
    };
    result[name] = list.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
};
