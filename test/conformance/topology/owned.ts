/** Finds what the topology has applied to an object, according to its managedFields. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';

/** Whether no subfields are listed, which means that the manager owns the whole value. */
const isWhole = (fields: JsonObject): boolean => Object.keys(fields).every((key) => key === '.');

const itemOf = (list: readonly unknown[], key: string): unknown => {
  const wanted = JSON.parse(key.slice(2)) as unknown;
  if (key.startsWith('v:')) return list.find((item) => isDeepStrictEqual(item, wanted));
  return list.find(
    (item) =>
      isObject(item) && isObject(wanted) && Object.entries(wanted).every(([name, value]) => item[name] === value),
  );
};

const partOf = (value: unknown, fields: JsonObject): unknown => {
  if (isWhole(fields)) return value;
  const members = Object.entries(fields).filter(([key]) => key !== '.');
  if (Array.isArray(value)) return members.map(([key, below]) => partOf(itemOf(value, key), below as JsonObject));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    members.map(([key, below]) => [key.slice(2), partOf(value[key.slice(2)], below as JsonObject)]),
  );
};

const MANAGER = 'capi-topology';

/** The managedFields entry of the topology's last apply. */
export const fromManager = ({ metadata }: KubeObject) =>
  metadata.managedFields?.find((one) => one.manager === MANAGER && one.operation === 'Apply' && !one.subresource);

/** The part of the object that the topology has applied; undefined if it has applied nothing. */
export const ownedPart = (object: KubeObject): unknown => {
  const entry = fromManager(object);
  return entry && partOf(object, entry.fieldsV1 as JsonObject);
};
