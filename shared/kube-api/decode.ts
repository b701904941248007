import { invalidValue } from './field-error.ts';
import { isObject, type JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import type { OpenApiSchema, ResourceDefinition } from './resource.ts';
import { isAboutTime, withGoTimes } from './schema/go-times.ts';
import { OBJECT_META, withMetadata } from './schema/metadata.ts';
import { type DroppedNulls, prune } from './schema/prune.ts';
import { findUndecodable, jsonTypeOf, type Place } from './schema/undecodable.ts';
import { badRequest, invalid } from './status-error.ts';

/** What happens to fields that the schema does not know; they are never stored. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** The refusal of a body that cannot be decoded for the reason given. */
type RefuseBody = (why: string) => Error;

export interface DecodeOptions {
  /** `Strict` unless given. */
  fieldValidation?: FieldValidation;
  /** Says which keys the text of the body states twice; they are dealt with as unknown fields are. */
  duplicates?(): readonly string[];
  /** The body is the result of a patch, whose refusals have other messages. */
  patch?: boolean;
  /** Nulls in maps of custom resources stay, for validation to refuse: upstream does not decode the result of an apply. */
  keepNulls?: boolean;
  /** The object that the body replaces: if Go could not read its times, the body may repeat them. */
  stored?: KubeObject;
}

export interface Decoded<T extends KubeObject> {
  object: T;
  /** `unknown field "spec.x"`, for the `Warning` header; empty unless validation is `Warn`. */
  warnings: string[];
}

export const apiVersionOf = ({ group, version }: Pick<ResourceDefinition, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/**
 * Reads `body` as an object of the kind: known fields only, metadata of the right types. Throws a StatusError 400 for
 * another kind, for metadata (of built-in kinds: anything) that a Go client could not decode, and, when strict, for
 * unknown fields and keys that are stated twice; 422 for another kind than the custom one, and for the result of a patch.
 */
export const decodeObject = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  body: unknown,
  { fieldValidation = 'Strict', duplicates, patch = false, keepNulls, stored }: DecodeOptions = {},
): Decoded<T> => {
  const refuse: RefuseBody = patch ? refusePatched : (why) => badRequest(handledAs(resource, why));
  if (!isObject(body)) throw refuse('json: the body is not an object');
  const { metadata: given, ...rest } = withKind(resource, body, refuse, patch);
  const metadata = given ?? {};
  if (!isObject(metadata)) throw refuse(notMetadata(resource, metadata));
  const meta = prune(OBJECT_META, metadata, 'metadata', 'all');
  const schema = resource.bodySchema ?? resource.schema;
  const main = prune(withMetadata(schema), rest, '', droppedNulls(resource, keepNulls));
  // A custom resource is decoded on its own, its metadata by itself.
  const inMetadata = { struct: 'ObjectMeta', path: resource.builtIn ? 'metadata' : '' };
  const undecodable =
    findUndecodable(OBJECT_META, meta.value, inMetadata) ??
    (resource.builtIn ? findNew(schema, main.value, { struct: resource.kind, path: '' }, stored) : undefined);
  if (undecodable) throw refuse(undecodable);

  // Go sorts what it prunes of custom resources, and reports built-in kinds as it reads them.
  const pruned = resource.builtIn ? main.unknown : main.unknown.toSorted();
  const unknown = [...meta.unknown, ...pruned].map((path) => `unknown field ${JSON.stringify(path)}`);
  const strict = fieldValidation === 'Ignore' ? [] : [...(duplicates?.() ?? []), ...unknown];
  if (fieldValidation === 'Strict' && strict.length > 0) throw refuse(`strict decoding error: ${strict.join(', ')}`);
  const { apiVersion, kind, ...fields } = main.value as JsonObject;
  const typed = (resource.builtIn ? withGoTimes(schema, fields) : fields) as JsonObject;
  const metadataOfGo = withoutEmpty(withGoTimes(OBJECT_META, meta.value));
  const object = { apiVersion, kind, metadata: metadataOfGo, ...typed } as unknown as T;
  return { object, warnings: strict };
};

/** What is undecodable, unless it is a time that the stored object has as well. */
const findNew = (schema: OpenApiSchema, value: unknown, place: Place, stored: unknown): string | undefined => {
  const found = findUndecodable(schema, value, place);
  if (found === undefined || !isAboutTime(found)) return found;
  return findUndecodable(schema, stored, place) === found ? undefined : found;
};

const droppedNulls = ({ builtIn }: ResourceDefinition, keepNulls = false): DroppedNulls => {
  if (builtIn) return 'all';
  return keepNulls ? 'none' : 'values';
};

/** Members of metadata that Go leaves out when they are empty. */
const OMITTED_WHEN_EMPTY = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Go reads this version as none. */
export const NO_VERSION = '0';

/** Known for the sake of old clients, and not kept. */
const NOT_KEPT = 'selfLink';

const withoutEmpty = (metadata: unknown): unknown =>
  Object.fromEntries(
    Object.entries(metadata as JsonObject).filter(
      ([key, value]) =>
        key !== NOT_KEPT &&
        !(key === 'resourceVersion' && value === NO_VERSION) &&
        (!OMITTED_WHEN_EMPTY.includes(key) || Object.keys(value as object).length > 0),
    ),
  );

/** The result of a patch: upstream names neither the object nor its kind. */
const refusePatched: RefuseBody = (why) =>
  invalid({ group: '', kind: '' }, '', [{ type: 'FieldValueInvalid', field: 'patch', detail: why }]);

const notMetadata = ({ builtIn, kind }: ResourceDefinition, given: unknown): string => {
  const place = builtIn ? `struct field ${kind}.metadata` : 'value';
  return `json: cannot unmarshal ${jsonTypeOf(given)} into Go ${place} of type v1.ObjectMeta`;
};

const handledAs = (resource: ResourceDefinition, why: string): string =>
  `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`;

/** Go does not distinguish an empty text, null and nothing. */
const given = (text: unknown): unknown => (text === '' || text === null ? undefined : text);

/** Typed built-in kinds may omit their kind, as upstream; others must have the right one. */
const withKind = (resource: ResourceDefinition, body: JsonObject, refuse: RefuseBody, patch: boolean): JsonObject => {
  const apiVersion = apiVersionOf(resource);
  const { kind } = resource;
  const found = resource.builtIn
    ? { ...body, apiVersion: given(body.apiVersion) ?? apiVersion, kind: given(body.kind) ?? kind }
    : body;
  if (typeof found.kind !== 'string' || found.kind === '') throw refuse("Object 'Kind' is missing in the body");
  // An object could bring a toString of its own.
  const version = typeof found.apiVersion === 'object' ? '' : String(found.apiVersion ?? '');
  const isCustom = !resource.builtIn;
  if (version !== apiVersion && !resource.custom?.isAsStored) {
    if (isCustom && patch) throw unlike(resource, found, { field: 'apiVersion', given: version, wanted: apiVersion });
    throw badRequest(
      `the API version in the data (${version}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (found.kind === kind) return found;
  if (isCustom) throw unlike(resource, found, { field: 'kind', given: found.kind, wanted: kind });
  const why = `the kind in the data (${found.kind}) does not match the expected kind (${kind})`;
  throw patch ? refuse(why) : badRequest(why);
};

/** Custom resources are of one kind and version, which their validation checks. */
const unlike = (
  { group }: ResourceDefinition,
  found: JsonObject,
  { field, given, wanted }: { field: string; given: string; wanted: string },
): Error => {
  const name = isObject(found.metadata) && typeof found.metadata.name === 'string' ? found.metadata.name : '';
  return invalid({ group, kind: String(found.kind) }, name, [invalidValue(field, given, `must be ${wanted}`)]);
};
