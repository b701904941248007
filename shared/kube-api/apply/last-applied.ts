import { apiVersionOf } from '../decode.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { compare } from './compare.ts';
import { difference, EMPTY_SET, type FieldSet, isEmpty } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import type { Conflict } from './settle.ts';

/**
 * The annotation in which `kubectl apply` without `--server-side` stores what it has applied. A user who changes to
 * `--server-side` already owns those fields, under the name of an updater.
 */

/** kubectl's default manager; the rules here apply only to it. */
export const KUBECTL = 'kubectl';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The limit for all annotations of an object together. */
const MAX_BYTES = 256 * 1024;

const textIn = (object: JsonObject | undefined): unknown => {
  const metadata = isObject(object?.metadata) ? object.metadata : {};
  return isObject(metadata.annotations) ? metadata.annotations[ANNOTATION] : undefined;
};

const read = (live: JsonObject | undefined): unknown => {
  const text = textIn(live);
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Its writer must resolve existing conflicts.
    return undefined;
  }
};

/** The fields of the last client-side apply that still have the values which it gave them. */
const appliedAndUnchanged = (resource: ResourceDefinition, live: JsonObject | undefined): FieldSet => {
  const applied = read(live);
  if (!isObject(applied) || applied.apiVersion !== apiVersionOf(resource)) return EMPTY_SET;
  const schema = withMetadata(resource.schema);
  const { added, modified, removed } = compare(schema, applied, live);
  return [modified, added, removed].reduce(difference, fieldSetOf(schema, applied));
};

/** The conflicts of a server-side apply that are not with kubectl's own client-side apply. */
export const notLastApplied = (
  resource: ResourceDefinition,
  live: JsonObject | undefined,
  conflicts: readonly Conflict[],
): Conflict[] => {
  const allowed = appliedAndUnchanged(resource, live);
  return conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields));
};

/** With the members in order at every level, as kubectl writes the annotation. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
};

/** Updates an existing annotation, so that the user can return to client-side apply. */
export const withLastApplied = (object: JsonObject, config: JsonObject): JsonObject => {
  const { metadata } = object as unknown as KubeObject;
  if (metadata.annotations?.[ANNOTATION] === undefined) return object;
  const given = isObject(config.metadata) ? config.metadata : {};
  const { [ANNOTATION]: _, ...others } = isObject(given.annotations) ? given.annotations : {};
  const annotations = Object.keys(others).length > 0 ? { annotations: others } : { annotations: undefined };
  const text = `${JSON.stringify(sorted({ ...config, metadata: { ...given, ...annotations } }))}\n`;
  const kept = Buffer.byteLength(text) > MAX_BYTES ? '' : text;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION]: kept } } };
};

/** The object with the annotation that `withLastApplied` has replaced: its update changes no field of a manager. */
export const withLastAppliedOf = (object: KubeObject, former: JsonObject): KubeObject => {
  const text = textIn(former);
  const { metadata } = object;
  if (typeof text !== 'string' || metadata.annotations?.[ANNOTATION] === undefined) return object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION]: text } } };
};
