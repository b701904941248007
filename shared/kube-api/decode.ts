import { isObject, type JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import type { FieldError, ResourceDefinition } from './resource.ts';
import { OBJECT_META, withMetadata } from './schema/metadata.ts';
import { prune } from './schema/prune.ts';
import { validateSchema } from './schema/validate.ts';
import { badRequest } from './status-error.ts';

/** What happens to fields that the schema does not know; they are never stored. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

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
 * unknown fields. `refuseUnknown` words that last refusal, which differs between a body and a patch.
 */
export const decodeObject = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  body: unknown,
  fieldValidation: FieldValidation,
  refuseUnknown: (strictError: string) => Error = (strictError) => badRequest(handledAs(resource, strictError)),
): Decoded<T> => {
  if (!isObject(body)) throw badRequest(handledAs(resource, 'json: the body is not an object'));
  const { metadata = {}, ...rest } = withKind(resource, body);
  if (!isObject(metadata)) throw badRequest(handledAs(resource, 'json: metadata is not an object'));
  const meta = prune(OBJECT_META, metadata, 'metadata', { dropNulls: true });
  const main = prune(withMetadata(resource.schema), rest, '', { dropNulls: resource.builtIn });
  refuseWrongTypes(resource, validateSchema(OBJECT_META, meta.value, 'metadata'), 'ObjectMeta');
  if (resource.builtIn) refuseWrongTypes(resource, validateSchema(resource.schema, main.value), resource.kind);

  // Go sorts what it prunes of custom resources, and tells of built-in kinds as it reads them.
  const pruned = resource.builtIn ? main.unknown : main.unknown.toSorted();
  const unknown = [...meta.unknown, ...pruned].map((path) => `unknown field ${JSON.stringify(path)}`);
  if (fieldValidation === 'Strict' && unknown.length > 0) {
    throw refuseUnknown(`strict decoding error: ${unknown.join(', ')}`);
  }
  const { apiVersion, kind, ...fields } = main.value as JsonObject;
  const object = { apiVersion, kind, metadata: withoutEmpty(meta.value), ...fields } as unknown as T;
  return { object, warnings: fieldValidation === 'Warn' ? unknown : [] };
};

/** Members of metadata that Go leaves out when they are empty. */
const OMITTED_WHEN_EMPTY = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Known for the sake of old clients, and not kept. */
const NOT_KEPT = 'selfLink';

const withoutEmpty = (metadata: unknown): unknown =>
  Object.fromEntries(
    Object.entries(metadata as JsonObject).filter(
      ([key, value]) =>
        key !== NOT_KEPT && (!OMITTED_WHEN_EMPTY.includes(key) || Object.keys(value as object).length > 0),
    ),
  );

const handledAs = (resource: ResourceDefinition, why: string): string =>
  `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`;

/** Typed built-in kinds may leave their kind out, as upstream lets them; others name it, and it has to be the right one. */
const withKind = (resource: ResourceDefinition, body: JsonObject): JsonObject => {
  const apiVersion = apiVersionOf(resource);
  const { kind } = resource;
  const found = resource.builtIn ? { apiVersion, kind, ...body } : body;
  if (typeof found.kind !== 'string' || found.kind === '') throw badRequest("Object 'Kind' is missing in the body");
  if (found.apiVersion !== apiVersion) {
    // An object could bring a toString of its own.
    const given = typeof found.apiVersion === 'object' ? '' : (found.apiVersion ?? '');
    const message = `the API version in the data (${given}) does not match the expected API version (${apiVersion})`;
    throw badRequest(message);
  }
  if (found.kind !== kind) {
    throw badRequest(`the kind in the data (${found.kind}) does not match the expected kind (${kind})`);
  }
  return found;
};

/** Go's decoder stops at the first value of a wrong type, before any validation. */
const refuseWrongTypes = (resource: ResourceDefinition, errors: readonly FieldError[], struct: string): void => {
  const wrong = errors.find(({ type }) => type === 'FieldValueTypeInvalid');
  if (!wrong) return;
  const wanted = / must be of type (\w+)/.exec(wrong.detail)?.[1] ?? 'another type';
  const actual = typeof wrong.badValue === 'string' ? wrong.badValue.replace('integer', 'number') : 'value';
  const why = `json: cannot unmarshal ${actual} into Go struct field ${struct}.${wrong.field} of type ${wanted}`;
  throw badRequest(handledAs(resource, why));
};
