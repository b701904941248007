import { validateRules } from '../cel/rules.ts';
import { invalidValue, required } from '../field-error.ts';
import { isObject, memberPath } from '../json.ts';
import { readJsonPath } from '../json-path.ts';
import { checkSubdomain } from '../names.ts';
import type { KubeObject } from '../object.ts';
import type { FieldError, FieldErrorType, OpenApiSchema, ScaleSubresource } from '../resource.ts';
import { foreignScalars } from '../schema/foreign-scalars.ts';
import { validateSchema } from '../schema/validate.ts';

/** What objects of a version are validated by. */
export interface ObjectRules {
  /** Of everything but the head of the object. */
  schema: OpenApiSchema;
  /** As defined, including its rules for metadata. */
  whole: OpenApiSchema;
  /** With what expressions see of the head. */
  visible: OpenApiSchema;
  scale: ScaleSubresource | undefined;
}

const MOST_REPLICAS = 2 ** 31 - 1;

const validateReplicas = (path: string, object: KubeObject): FieldError[] => {
  const value = readJsonPath(path, object);
  if (typeof value !== 'number') return [];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > MOST_REPLICAS ? [invalidValue(path, value, `should be less than or equal to ${MOST_REPLICAS}`)] : [];
};

const validateScale = (scale: ScaleSubresource | undefined, object: KubeObject): FieldError[] =>
  scale
    ? [...validateReplicas(scale.specReplicasPath, object), ...validateReplicas(scale.statusReplicasPath, object)]
    : [];

/** An embedded object must have apiVersion and kind, and its name must be valid. */
const validateHead = (object: Record<string, unknown>, path: string): FieldError[] => {
  const missing = (['apiVersion', 'kind'] as const)
    .filter((field) => !object[field])
    .map((field) => required(memberPath(path, field)));
  const name = isObject(object.metadata) ? object.metadata.name : undefined;
  const faults = typeof name === 'string' && name !== '' ? checkSubdomain(name) : [];
  return [...missing, ...faults.map((fault) => invalidValue(`${memberPath(path, 'metadata')}.name`, name, fault))];
};

const validateEmbedded = (schema: OpenApiSchema, value: unknown, path: string): FieldError[] => {
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, index) => validateEmbedded(items, item, `${path}[${index}]`)) : [];
  }
  if (!isObject(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? validateHead(value, path) : [];
  const within = Object.entries(value).flatMap(([key, member]) => {
    const of = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    return isObject(of) ? validateEmbedded(of, member, memberPath(path, key)) : [];
  });
  return [...own, ...within];
};

const hasEmbedded = ({ items, properties = {}, additionalProperties, ...schema }: OpenApiSchema): boolean =>
  schema['x-kubernetes-embedded-resource'] === true ||
  Object.values(properties).some(hasEmbedded) ||
  (items !== undefined && hasEmbedded(items)) ||
  (isObject(additionalProperties) && hasEmbedded(additionalProperties));

/** The definition's rules for names, which apply to creations. */
const validateName = ({ properties = {} }: OpenApiSchema, { metadata }: KubeObject): FieldError[] =>
  properties.metadata ? validateSchema(properties.metadata, metadata, 'metadata', foreignScalars) : [];

/** After these errors expressions are not evaluated: they could not rely on the types of their input. */
const BLOCKING: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const UNCHECKED: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  badValue: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

const hasRules = (schema: OpenApiSchema): boolean => {
  const { items, properties = {}, additionalProperties } = schema;
  return (
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    Object.values(properties).some(hasRules) ||
    (items !== undefined && hasRules(items)) ||
    (isObject(additionalProperties) && hasRules(additionalProperties))
  );
};

/** Upstream shows a condition that a value breaks at the root, without the value. */
const atRoot = (error: FieldError): FieldError =>
  error.field === '' ? { ...error, field: '<nil>', badValue: error.badValue ?? '' } : error;

/** Creates the validation of whole objects of a version; parts that depend only on the schema are computed once. */
export const makeValidateObject = ({ schema, whole, visible, scale }: ObjectRules) => {
  const embeds = hasEmbedded(schema);
  const isRuled = hasRules(visible);
  return (object: KubeObject, old: KubeObject | undefined): FieldError[] => {
    const errors = [
      ...validateSchema(schema, object, '', foreignScalars, old).map(atRoot),
      ...(old ? [] : validateName(whole, object)),
      ...validateScale(scale, object),
      ...(embeds ? validateEmbedded(schema, object, '') : []),
    ];
    if (!isRuled) return errors;
    if (errors.some(({ type }) => BLOCKING.has(type))) return [...errors, UNCHECKED];
    return [...errors, ...validateRules(visible, object, old, '', true)];
  };
};
