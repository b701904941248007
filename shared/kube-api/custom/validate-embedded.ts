import { invalidValue, required } from '../field-error.ts';
import { isObject, memberPath } from '../json.ts';
import { validateEmbeddedMetadata } from '../metadata.ts';
import { checkDns1035Label } from '../names.ts';
import type { ObjectMeta } from '../object.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { OBJECT_META } from '../schema/metadata.ts';
import { findUndecodable } from '../schema/undecodable.ts';

type Embedded = Readonly<Record<string, unknown>>;

/** Values of a wrong type are reported by the schema. */
const textOf = (object: Embedded, field: string): string | undefined => {
  const value = object[field] ?? '';
  return typeof value === 'string' ? value : undefined;
};

const validateApiVersion = (apiVersion: string, path: string): FieldError[] => {
  if (apiVersion === '') return [required(path)];
  if (apiVersion.split('/').length <= 2) return [];
  return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
};

const validateKind = (kind: string, path: string): FieldError[] => {
  if (kind === '') return [required(path)];
  const faults = checkDns1035Label(kind.toLowerCase());
  if (faults.length === 0) return [];
  return [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`)];
};

const isMetadata = (metadata: unknown): metadata is ObjectMeta =>
  isObject(metadata) && findUndecodable(OBJECT_META, metadata, { struct: 'ObjectMeta', path: '' }) === undefined;

const validateHead = (object: Embedded, path: string): FieldError[] => {
  const [apiVersion, kind] = [textOf(object, 'apiVersion'), textOf(object, 'kind')];
  const { metadata } = object;
  const ofMetadata = isMetadata(metadata) ? validateEmbeddedMetadata(metadata) : [];
  return [
    ...(apiVersion === undefined ? [] : validateApiVersion(apiVersion, memberPath(path, 'apiVersion'))),
    ...(kind === undefined ? [] : validateKind(kind, memberPath(path, 'kind'))),
    ...ofMetadata.map((error) => ({ ...error, field: path === '' ? error.field : `${path}.${error.field}` })),
  ];
};

/**
 * Errors of the heads of all embedded objects in a value: their API version, kind and metadata
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta). Pure.
 */
export const validateEmbedded = (schema: OpenApiSchema, value: unknown, path: string): FieldError[] => {
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, index) => validateEmbedded(items, item, `${path}[${index}]`)) : [];
  }
  if (!isObject(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? validateHead(value, path) : [];
  const within = Object.entries(value).flatMap(([key, member]) => {
    const isField = Object.hasOwn(properties, key);
    const of = isField ? properties[key] : additionalProperties;
    return isObject(of) ? validateEmbedded(of, member, isField ? memberPath(path, key) : `${path}[${key}]`) : [];
  });
  return [...own, ...within];
};

/** Whether values of a schema can have embedded objects. */
export const hasEmbedded = ({ items, properties = {}, additionalProperties, ...schema }: OpenApiSchema): boolean =>
  schema['x-kubernetes-embedded-resource'] === true ||
  Object.values(properties).some(hasEmbedded) ||
  (items !== undefined && hasEmbedded(items)) ||
  (isObject(additionalProperties) && hasEmbedded(additionalProperties));
