import { readFieldPath } from '../cel/field-path.ts';
import { forbiddenField, invalidValue, required } from '../field-error.ts';
import { isObject } from '../json.ts';
import type { FieldError, OpenApiSchema, ValidationRule } from '../resource.ts';
import { allParts } from './schema-walk.ts';

/**
 * What schemas of CustomResourceDefinitions may contain besides being structural
 * (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation: ValidateCustomResourceDefinitionOpenAPISchema).
 */

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const META = ['metadata', 'kind', 'apiVersion'];

/** Members that OpenAPI schemas may have elsewhere, but not here. */
const UNSUPPORTED: readonly [string, string][] = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
];

const notSupported = (field: string, badValue: unknown, supported: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  badValue,
  detail: `supported values: ${supported.map((value) => JSON.stringify(value)).join(', ')}`,
});

interface Place {
  isRoot: boolean;
  /** Why no default is allowed here. */
  withoutDefault: string | undefined;
  isInsideMeta: boolean;
}

const validateMembers = (schema: OpenApiSchema, field: string, place: Place): FieldError[] => {
  const { type } = schema;
  const errors: FieldError[] = [];
  if (type && !TYPES.includes(type)) errors.push(notSupported(`${field}.type`, type, TYPES));
  if (schema.default !== undefined && place.withoutDefault !== undefined)
    errors.push(forbiddenField(`${field}.default`, `must not be set ${place.withoutDefault}`));
  for (const [name, why] of UNSUPPORTED)
    if (Object.hasOwn(schema, name)) errors.push(forbiddenField(`${field}.${name}`, why));
  if ((type as string) === 'null')
    errors.push(forbiddenField(`${field}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (schema.items !== undefined && !isObject(schema.items))
    errors.push(forbiddenField(`${field}.items`, 'items must be a schema object and not an array'));
  return [...errors, ...validateCombination(schema, field, place)];
};

/** Members that exclude each other, or are not allowed in this place. */
const validateCombination = (schema: OpenApiSchema, field: string, place: Place): FieldError[] => {
  const { additionalProperties, properties = {} } = schema;
  const errors: FieldError[] = [];
  if (place.isInsideMeta && schema['x-kubernetes-embedded-resource'])
    errors.push(forbiddenField(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  if (schema.uniqueItems) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(`${field}.uniqueItems`, why));
  }
  const hasBoth = Object.keys(properties).length > 0 && additionalProperties !== undefined;
  if (hasBoth && additionalProperties !== true)
    errors.push(
      forbiddenField(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    );
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalidValue(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  return errors;
};

/** Each of these extensions requires a certain type. */
const needsType = (schema: OpenApiSchema, field: string, extension: string, wanted: string): FieldError[] => {
  const why = `must be ${wanted} if ${extension} is specified`;
  if (schema.type === wanted) return [];
  return [schema.type ? invalidValue(`${field}.type`, schema.type, why) : required(`${field}.type`, why)];
};

const validateTopology = (schema: OpenApiSchema, field: string): FieldError[] => {
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  const errors: FieldError[] = [];
  if (mapType !== undefined) {
    errors.push(...needsType(schema, field, 'x-kubernetes-map-type', 'object'));
    if (!['atomic', 'granular'].includes(mapType))
      errors.push(notSupported(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  if (listType === undefined) return errors;
  errors.push(...needsType(schema, field, 'x-kubernetes-list-type', 'array'));
  if (listType === 'set' && schema.type === 'array') errors.push(...validateSetItems(schema.items, field));
  if (!['atomic', 'set', 'map'].includes(listType))
    errors.push(notSupported(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
  return errors;
};

const validateSetItems = (items: OpenApiSchema | undefined, field: string): FieldError[] => {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items?.['x-kubernetes-list-type'];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalidValue(`${field}.items.x-kubernetes-list-type`, listType, why)];
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    return [invalidValue(`${field}.items.x-kubernetes-map-type`, listType ?? null, why)];
  return [];
};

const validateMapKeys = (schema: OpenApiSchema, field: string): FieldError[] => {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const at = `${field}.x-kubernetes-list-map-keys`;
  if (listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = `${field}.x-kubernetes-list-type`;
    if (keys.length === 0) return [];
    return [listType === undefined ? required(place, why) : invalidValue(place, listType, why)];
  }
  const { items } = schema;
  const errors: FieldError[] = [];
  if (keys.length === 0) errors.push(required(at, 'must not be empty if x-kubernetes-list-type is map'));
  if (items === undefined || Array.isArray(items))
    return [...errors, required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(`${field}.items.type`, items.type ?? '', why)];
  }
  return [...errors, ...keys.flatMap((key, index) => validateMapKey(items, { key, index, keys }, field))];
};

interface MapKey {
  key: string;
  index: number;
  keys: readonly string[];
}

const validateMapKey = (items: OpenApiSchema, { key, index, keys }: MapKey, field: string): FieldError[] => {
  const at = `${field}.x-kubernetes-list-map-keys`;
  const member = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
  const isScalar = member?.type !== 'array' && member?.type !== 'object';
  const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
  return [
    ...(member ? [] : [invalidValue(at, keys, 'entries must all be names of item properties')]),
    ...(isScalar ? [] : [invalidValue(`${field}.items.properties[${key}].type`, items.type, why)]),
    ...(keys.indexOf(key) < index ? [invalidValue(at, keys, 'must not contain duplicate entries')] : []),
  ];
};

/** A key of items is never missing. */
const validateKeyField = (items: OpenApiSchema, key: string, at: string): FieldError[] => {
  const member = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
  if (!member) return [];
  const why = 'this property is in x-kubernetes-list-map-keys, so it';
  const isGiven = items.required?.includes(key) || member.default !== undefined;
  return [
    ...(isGiven ? [] : [required(`${at}.default`, `${why} must have a default or be a required property`)]),
    ...(member.nullable ? [forbiddenField(`${at}.nullable`, `${why} cannot be nullable`)] : []),
  ];
};

/** Items of sets and maps are identified by their contents. */
const validateIdentities = (schema: OpenApiSchema, field: string): FieldError[] => {
  const listType = schema['x-kubernetes-list-type'];
  const { items } = schema;
  if ((listType !== 'set' && listType !== 'map') || items === undefined) return [];
  const keys = listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
  const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
  return [
    ...(items.nullable ? [forbiddenField(`${field}.items.nullable`, why)] : []),
    ...keys.flatMap((key) => validateKeyField(items, key, `${field}.items.properties[${key}]`)),
  ];
};

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

const validateRuleText = ({ rule = '', message = '' }: Partial<ValidationRule>, at: string): FieldError[] => {
  if (rule.trim() === '') return [required(`${at}.rule`, 'rule is not specified')];
  if (message !== '' && message.trim() === '')
    return [invalidValue(`${at}.message`, message, 'must be non-empty if specified')];
  if (hasLineBreak(message.trim())) return [invalidValue(`${at}.message`, message, 'must not contain line breaks')];
  return hasLineBreak(rule.trim()) && message.trim() === ''
    ? [required(`${at}.message`, 'message must be specified if rule contains line breaks')]
    : [];
};

const validateRuleTexts = (schema: OpenApiSchema, field: string): FieldError[] =>
  (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = `${field}.x-kubernetes-validations[${index}]`;
    const { messageExpression = '', reason, fieldPath = '' } = rule;
    const isBlank = fieldPath !== '' && fieldPath.trim() === '';
    return [
      ...validateRuleText(rule, at),
      ...(messageExpression !== '' && messageExpression.trim() === ''
        ? [required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified')]
        : []),
      ...(reason !== undefined && !REASONS.includes(reason) ? [notSupported(`${at}.reason`, reason, REASONS)] : []),
      ...(isBlank ? [invalidValue(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified')] : []),
      ...(hasLineBreak(fieldPath) ? [invalidValue(`${at}.fieldPath`, fieldPath, 'must not contain line breaks')] : []),
      ...(fieldPath !== '' && 'fault' in readFieldPath(fieldPath, schema)
        ? [invalidValue(`${at}.fieldPath`, fieldPath, 'must be a valid path')]
        : []),
    ];
  });

/** The position of a part of a schema: a default in metadata would be indistinguishable from a client's value. */
const placeOf = (schema: OpenApiSchema, part: { field: string; name?: string }, place: Place): Place => {
  const isMeta = part.name !== undefined && META.includes(part.name);
  const inside = isMeta && (place.isRoot || schema['x-kubernetes-embedded-resource'] === true);
  return {
    isRoot: false,
    isInsideMeta: place.isInsideMeta || inside,
    withoutDefault: inside && place.isRoot ? `in top-level ${part.name}` : place.withoutDefault,
  };
};

const visit = (schema: OpenApiSchema, field: string, place: Place): FieldError[] => [
  ...validateMembers(schema, field, place),
  ...allParts(schema, field).flatMap((part) => visit(part.schema, part.field, placeOf(schema, part, place))),
  ...validateTopology(schema, field),
  ...validateMapKeys(schema, field),
  ...validateIdentities(schema, field),
  ...validateRuleTexts(schema, field),
];

/** The errors in a schema and all nested schemas, except for expressions. Pure. */
export const validateOpenApi = (schema: OpenApiSchema, field: string): FieldError[] =>
  visit(schema, field, { isRoot: true, withoutDefault: undefined, isInsideMeta: false });
