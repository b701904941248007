import { isDeepStrictEqual } from 'node:util';
import { tryJson } from '../../decode/json.ts';
import { apiVersionOf } from '../decode.ts';
import { invalidValue } from '../field-error.ts';
import { findPrototypeKey, isDeeperThan, isObject, type JsonObject } from '../json.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { OpenApiSchema, ResourceDefinition, View } from '../resource.ts';
import { prune } from '../schema/prune.ts';
import { validateSchema } from '../schema/validate.ts';
import { invalid } from '../status-error.ts';
import { CONVERSION_DATA, withConversionData } from './conversion-data.ts';
import { difference, type Edit, edit } from './difference.ts';
import { withoutRefused } from './refused.ts';

/**
 * Conversion without loss. Fields that a version cannot express are stored in the conversion annotation and restored
 * from it, in both directions and for any pair of converters, so a round trip returns the same object. If the object
 * changes in between, the change wins, and unaffected fields are restored. Nothing is annotated if nothing is lost.
 */

/** The annotation on a stored object: the edits that its conversion to the other version would miss. */
interface Remainder {
  version: string;
  edits: Edit[];
}

/** Converts a stored object to the version of the view. */
export const fromStorage = (view: View, stored: KubeObject): KubeObject => {
  const { version } = view;
  const remainder = readRemainder(stored, version.name);
  // Data that this server has not written describes another object.
  const metadata = withConversionData(stored.metadata, undefined);
  const object = restored(
    view,
    stored,
    whole(headOf(view), metadata, down(view, { ...stored, metadata })),
    remainder?.edits ?? [],
  );
  const kept = bodyOf(stored);
  if (isDeepStrictEqual(up(view, object), kept)) return object;
  return { ...object, metadata: withConversionData(metadata, JSON.stringify(kept)) };
};

/**
 * Applies the edits, unless they result in wrong types, because Go clients could not decode a list with such an object,
 * or in another object in the stored version: anyone who writes the annotation could show policies and clients of this
 * version something that is not stored.
 */
const restored = (view: View, stored: KubeObject, object: KubeObject, edits: readonly Edit[]): KubeObject => {
  if (edits.length === 0) return object;
  const result = edit(bodyOf(object), edits);
  if (!isObject(result)) return object;
  // Only the body is edited, whatever the paths say.
  const body = bodyOf(result as unknown as KubeObject);
  if (validateSchema(view.schema, body).some(({ type }) => type === 'FieldValueTypeInvalid')) return object;
  const edited = whole(headOf(view), object.metadata, body);
  const meant = up(view, edited);
  return isDeepStrictEqual(meant, bodyOf(stored)) || isDeepStrictEqual(meant, up(view, object)) ? edited : object;
};

/**
 * Converts an object that is valid in the view's version to the stored version. Throws a StatusError 422 for unusable
 * conversion data.
 */
export const toStorage = (view: View, object: KubeObject): KubeObject => {
  const { version, storage } = view;
  const metadata = withConversionData(object.metadata, undefined);
  const bare = { ...object, metadata };
  const edited = edit(up(view, bare), lostOnTheWayDown(view, object));
  // An edit may remove the only member of an object.
  const stored = whole(storage, metadata, withoutRefused(storage.schema, edited));
  const edits = difference(down(view, stored), bodyOf(bare));
  if (edits.length === 0) return stored;
  const remainder: Remainder = { version: version.name, edits };
  return { ...stored, metadata: withConversionData(metadata, JSON.stringify(remainder)) };
};

/** The edits that restore what converting the stored object in the annotation to the view's version has lost. */
const lostOnTheWayDown = (view: View, object: KubeObject): Edit[] => {
  const known = readStored(view, object);
  if (!known) return [];
  const seen = whole(headOf(view), known.metadata, down(view, known));
  return difference(up(view, seen), bodyOf(known));
};

const down = (view: View, stored: KubeObject): JsonObject => fitted(view.schema, view.version.fromStorage(stored));

const up = ({ version, storage }: View, object: KubeObject): JsonObject =>
  fitted(storage.schema, version.toStorage(object));

/** Drops fields that are not in the schema, and empty values that it rejects. */
const fitted = (schema: OpenApiSchema, body: object): JsonObject =>
  withoutRefused(schema, prune(schema, plain(body)).value) as JsonObject;

type Head = Pick<ResourceDefinition, 'group' | 'version' | 'kind'>;

const headOf = ({ version, storage }: View): Head => ({
  group: version.group ?? storage.group,
  version: version.name,
  kind: storage.kind,
});

const whole = (resource: Head, metadata: ObjectMeta, body: unknown): KubeObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata,
  ...(body as object),
});

const bodyOf = ({ apiVersion: _, kind: __, metadata: ___, ...body }: KubeObject): JsonObject => body;

/** Drops `undefined` members, which converters may write. */
const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/** Clients can write any annotation on an object in the stored version, so other data is ignored. */
const readRemainder = ({ metadata }: KubeObject, version: string): Remainder | undefined => {
  const found = parsed(metadata.annotations?.[CONVERSION_DATA]);
  if (!isObject(found) || found.version !== version || !Array.isArray(found.edits)) return undefined;
  const usable = found.edits.every((entry) => isObject(entry) && Array.isArray(entry.at));
  return usable && findPrototypeKey(found) === undefined ? (found as unknown as Remainder) : undefined;
};

/**
 * The stored object in the annotation of a converted object, without what the stored version's schema does not have:
 * upstream does not validate the data, and also writes empty metadata.
 */
const readStored = ({ storage }: View, { metadata }: KubeObject): KubeObject | undefined => {
  const data = metadata.annotations?.[CONVERSION_DATA];
  if (data === undefined) return undefined;
  const found = parsed(data);
  const body = isObject(found) ? fitted(storage.schema, found) : undefined;
  if (body === undefined || findPrototypeKey(found) !== undefined || validateSchema(storage.schema, body).length > 0) {
    const detail = `must hold a ${storage.kind} of ${apiVersionOf(storage)}; remove the annotation to go without`;
    throw invalid(storage, metadata.name, [invalidValue(`metadata.annotations[${CONVERSION_DATA}]`, data, detail)]);
  }
  return whole(storage, withConversionData(metadata, undefined), body);
};

/** Allows the depth of a request body plus its position in an edit. A deeper value could overflow the stack. */
const MAX_DEPTH = 1010;

const parsed = (text: string | undefined): unknown => {
  const found = text === undefined ? undefined : tryJson(text);
  return isDeeperThan(found, MAX_DEPTH) ? undefined : found;
};
