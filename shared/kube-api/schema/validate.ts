import { isDeepStrictEqual } from 'node:util';
import { invalidValue, required } from '../field-error.ts';
import { isObject, type JsonObject, memberPath } from '../json.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { correlated, identityText, keyOfItem } from './correlate.ts';
import { validateComposed } from './validate-composed.ts';
import { ownScalars, type ScalarRules, validateNumber, validateString } from './validate-scalar.ts';

/**
 * Validates `value` by a structural schema. Returns all errors in document order, with the field paths and wording of
 * the API server's validation of custom resources (k8s.io/apiextensions-apiserver/pkg/apiserver/validation). `scalars`
 * checks patterns and formats; schemas that users write need `validateForeign`. `old` is the value that is replaced;
 * unchanged parts may be invalid, because the schema may be newer
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting).
 */
export const validateSchema = (
  schema: OpenApiSchema,
  value: unknown,
  path = '',
  scalars: ScalarRules = ownScalars,
  old: unknown = undefined,
): FieldError[] => {
  if (old !== undefined && scalars.isEqual(value, old)) return [];
  scalars.visit(sizeOf(value));
  if (value === null && schema.nullable) return [];
  const actual = typeOf(value);
  if (!hasType(schema, value, actual)) return [wrongType(schema, path, actual), ...validateEnum(schema, value, path)];
  const enumerated = validateEnum(schema, value, path);
  if (enumerated.length > 0) return enumerated;
  const errors = validateMembers(schema, value, path, { scalars, old });
  if (!schema.anyOf && !schema.oneOf && !schema.allOf && !schema.not) return errors;
  const composed = validateComposed(schema, path, (part) => validateSchema(part, value, path, scalars, old));
  return [...errors, ...composed];
};

/** The parameters of a validation that apply to members, too. */
interface Against {
  scalars: ScalarRules;
  old: unknown;
}

const validateMembers = (schema: OpenApiSchema, value: unknown, path: string, against: Against): FieldError[] => {
  if (typeof value === 'string') return validateString(schema, value, path, against.scalars);
  if (typeof value === 'number') return validateNumber(schema, value, path);
  if (Array.isArray(value)) return validateList(schema, value, path, against);
  return isObject(value) ? validateObject(schema, value, path, against) : [];
};

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 1;
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

const hasType = (schema: OpenApiSchema, value: unknown, actual: string): boolean => {
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string';
  if (schema.type === undefined) return value !== null || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return schema.type === actual || (schema.type === 'number' && actual === 'integer');
};

const wrongType = (schema: OpenApiSchema, path: string, actual: string): FieldError => {
  const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type;
  return {
    type: 'FieldValueTypeInvalid',
    field: path,
    badValue: actual,
    detail: `${path} in body must be of type ${wanted}: ${JSON.stringify(actual)}`,
  };
};

const validateEnum = (schema: OpenApiSchema, value: unknown, path: string): FieldError[] => {
  if (!schema.enum || schema.enum.some((allowed) => isDeepStrictEqual(allowed, value))) return [];
  const supported = schema.enum.map((allowed) => JSON.stringify(allowed)).join(', ');
  return [{ type: 'FieldValueNotSupported', field: path, badValue: value, detail: `supported values: ${supported}` }];
};

const validateList = (
  schema: OpenApiSchema,
  list: unknown[],
  path: string,
  { scalars, old }: Against,
): FieldError[] => {
  const errors: FieldError[] = [];
  const { minItems, maxItems, items } = schema;
  if (maxItems !== undefined && list.length > maxItems) errors.push(tooMany(path, list.length, maxItems));
  if (minItems !== undefined && list.length < minItems) {
    errors.push(invalidValue(path, list.length, `${path} in body should have at least ${minItems} items`));
  }
  if (schema.uniqueItems && hasEqualItems(list, scalars)) {
    errors.push(invalidValue(path, undefined, `${path} in body shouldn't contain duplicates`));
  }
  const before = correlated(schema, old);
  if (items)
    for (const [index, item] of list.entries())
      errors.push(...validateSchema(items, item, `${path}[${index}]`, scalars, before(item)));
  return [...errors, ...findWithoutKeys(schema, list, path), ...findDuplicates(schema, list, path)];
};

const hasEqualItems = (list: unknown[], { visit }: ScalarRules): boolean => {
  const texts = list.map(identityText);
  visit(texts.reduce((sum, { length }) => sum + length, 0));
  return new Set(texts).size < list.length;
};

const findWithoutKeys = (schema: OpenApiSchema, list: unknown[], path: string): FieldError[] =>
  list.flatMap((item, index) =>
    schema['x-kubernetes-list-type'] !== 'map' || isObject(item)
      ? []
      : [invalidValue(`${path}[${index}]`, item, 'must be an object for an array of list-type map')],
  );

/** Items of a `set` list must be unique, and so must the keys of the items of a `map` list. */
const findDuplicates = (schema: OpenApiSchema, list: unknown[], path: string): FieldError[] => {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  return list.flatMap((item, index): FieldError[] => {
    const identity = type === 'set' ? item : keyOfItem(keys, item);
    const text = identityText(identity);
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated
      ? [{ type: 'FieldValueDuplicate', field: `${path}[${index}]`, badValue: identity, detail: '' }]
      : [];
  });
};

const validateObject = (
  schema: OpenApiSchema,
  value: JsonObject,
  path: string,
  { scalars, old }: Against,
): FieldError[] => {
  const errors: FieldError[] = [];
  const count = Object.keys(value).length;
  const { minProperties, maxProperties } = schema;
  if (maxProperties !== undefined && count > maxProperties) errors.push(tooMany(path, count, maxProperties));
  if (minProperties !== undefined && count < minProperties) {
    errors.push(invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`));
  }
  for (const key of schema.required ?? []) {
    if (value[key] === undefined) errors.push(required(memberPath(path, key)));
  }
  return [...errors, ...validateFields(schema, value, path, { scalars, old })];
};

const validateFields = (
  { properties, additionalProperties }: OpenApiSchema,
  value: JsonObject,
  path: string,
  { scalars, old }: Against,
): FieldError[] =>
  Object.keys(value).flatMap((key) => {
    const member = properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (!isObject(member)) return [];
    const before = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
    return validateSchema(member, value[key], memberPath(path, key), scalars, before);
  });

const tooMany = (field: string, actual: number, most: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  badValue: actual,
  detail: `must have at most ${most} ${most === 1 ? 'item' : 'items'}`,
});
