import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue, required } from '../field-error.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { faultOfPattern } from '../schema/foreign-scalars.ts';
import { junctors, type SchemaPart, valueParts } from './schema-walk.ts';

/**
 * What makes a schema structural, so that values can be pruned and defaulted by it
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema: validation.go and complete.go).
 */

type Level = 'root' | 'item' | 'field';

const NAMES: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

const isIntOrString = (anyOf: OpenApiSchema['anyOf']): boolean => isDeepStrictEqual(anyOf, INT_OR_STRING);

const validateType = (schema: OpenApiSchema, level: Level, field: string): FieldError[] => {
  const { type } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const at = `${field}.type`;
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    return [type ? invalidValue(at, type, why) : required(at, why)];
  }
  const isOpen = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'];
  if (!type && !isOpen) return [required(at, NAMES[level])];
  return level === 'root' && type && type !== 'object' ? [invalidValue(at, type, 'must be object at the root')] : [];
};

const validateExtensions = (schema: OpenApiSchema, field: string): FieldError[] => {
  if (!schema['x-kubernetes-int-or-string']) return [];
  const exclusive = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const;
  return exclusive
    .filter((name) => schema[name])
    .map((name) => invalidValue(`${field}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
};

/** The metadata of the whole object that a schema may restrict: name and generateName. */
const restrictsMore = ({ properties = {}, type: _, description: __, default: ___, ...rest }: OpenApiSchema): boolean =>
  Object.keys(properties).some((name) => name !== 'name' && name !== 'generateName') || Object.keys(rest).length > 0;

const validateMeta = (schema: OpenApiSchema, level: Level, field: string): FieldError[] => {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (level !== 'root' && !isEmbedded) return [];
  const { apiVersion, kind, metadata } = schema.properties ?? {};
  const errors: FieldError[] = [];
  for (const [name, member] of Object.entries({ kind, apiVersion })) {
    const at = `${field}.properties[${name}].type`;
    if (member && member.type !== 'string') errors.push(invalidValue(at, member.type ?? '', 'must be string'));
  }
  const at = `${field}.properties[metadata]`;
  if (metadata && metadata.type !== 'object')
    errors.push(invalidValue(`${at}.type`, metadata.type ?? '', 'must be object'));
  if (level === 'root' && metadata && restrictsMore(metadata)) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenField(at, why));
  }
  return errors;
};

const validateEmbedded = (schema: OpenApiSchema, field: string): FieldError[] => {
  if (!schema['x-kubernetes-embedded-resource']) return [];
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  const why = 'must not be used if x-kubernetes-embedded-resource is set';
  const empty =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  return [
    ...(schema.additionalProperties === undefined ? [] : [forbiddenField(`${field}.additionalProperties`, why)]),
    ...(isEmpty && !schema['x-kubernetes-preserve-unknown-fields'] ? [required(`${field}.properties`, empty)] : []),
  ];
};

/** Keywords that are allowed only in the schema itself, not in additional schemas that a value must match. */
const FORBIDDEN: readonly [keyof OpenApiSchema, string][] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);

const validateNested = ({ schema, field }: SchemaPart, skipAnyOf = false): FieldError[] => {
  const { properties, items } = valueParts(schema, field);
  const isAboutMetadata = properties.some(({ name }) => name === 'metadata');
  return [
    ...validateConditions(schema, field, skipAnyOf),
    ...(items ? validateNested(items) : []),
    ...properties.flatMap((part) => validateNested(part)),
    ...FORBIDDEN.filter(([name]) => isSaid(schema[name])).map(([name, why]) => forbiddenField(`${field}.${name}`, why)),
    ...(isAboutMetadata
      ? [forbiddenField(`${field}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
};

/** The junctors of a schema, and its pattern. The usual ways to say int-or-string are let through. */
const validateConditions = (schema: OpenApiSchema, field: string, skipAnyOf: boolean): FieldError[] => {
  const { pattern } = schema;
  const fault = pattern ? faultOfPattern(pattern) : undefined;
  const why = `must be a valid regular expression, but isn't: ${fault}`;
  const first = `${field}.allOf[0]`;
  return [
    ...junctors(schema, field)
      .filter((part) => !(skipAnyOf && part.field.startsWith(`${field}.anyOf[`)))
      .flatMap((part) => validateNested(part, part.field === first && isIntOrString(part.schema.anyOf))),
    ...(fault === undefined ? [] : [invalidValue(`${field}.pattern`, pattern, why)]),
  ];
};

const validateInvariants = (schema: OpenApiSchema, level: Level, field: string): FieldError[] => {
  const { properties, items, additional } = valueParts(schema, field);
  const hasAdditional = schema.additionalProperties !== undefined;
  return [
    ...(schema.type === 'array' && !items ? [required(`${field}.items`, 'must be specified')] : []),
    ...(items ? validateInvariants(items.schema, 'item', items.field) : []),
    ...properties.flatMap((part) => validateInvariants(part.schema, 'field', part.field)),
    ...(hasAdditional && level === 'root'
      ? [forbiddenField(`${field}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(additional ? validateInvariants(additional.schema, 'field', additional.field) : []),
    ...validateExtensions(schema, field),
    ...validateConditions(schema, field, isIntOrString(schema.anyOf)),
    ...validateType(schema, level, field),
    ...validateEmbedded(schema, field),
    ...validateMeta(schema, level, field),
  ];
};

/** Every field in a condition must also be in the schema itself. */
const validateComplete = (condition: SchemaPart, structure: SchemaPart | undefined, missing: string): FieldError[] => {
  if (!structure) return [required(missing, `because it is defined in ${condition.field}`)];
  const { properties, items } = valueParts(condition.schema, condition.field);
  const known = valueParts(structure.schema, structure.field);
  return [
    ...junctors(condition.schema, condition.field).flatMap((part) =>
      validateComplete(part, structure, structure.field),
    ),
    ...(items ? validateComplete(items, known.items, `${structure.field}.items`) : []),
    ...properties.flatMap((part) => {
      const member = known.properties.find(({ name }) => name === part.name);
      return validateComplete(part, member, `${structure.field}.properties[${part.name}]`);
    }),
  ];
};

const byMessage = (a: FieldError, b: FieldError): number =>
  `${a.field}: ${a.detail}` < `${b.field}: ${b.detail}` ? -1 : 1;

/** What keeps a schema from being structural, in order. Pure. */
export const validateStructural = (schema: OpenApiSchema, field: string): FieldError[] => {
  const complete = junctors(schema, field).flatMap((part) => validateComplete(part, { schema, field }, field));
  return [...validateInvariants(schema, 'root', field), ...complete].toSorted(byMessage);
};
