import { validateRules } from '../cel/rules.ts';
import { invalidValue } from '../field-error.ts';
import { isObject } from '../json.ts';
import { readJsonPath } from '../json-path.ts';
import type { KubeObject } from '../object.ts';
import type { FieldError, FieldErrorType, OpenApiSchema, ScaleSubresource } from '../resource.ts';
import { validateForeign } from '../schema/validate-foreign.ts';
import { Work } from '../work.ts';
import { hasEmbedded, validateEmbedded } from './validate-embedded.ts';

/** How objects of a version are validated. */
export interface ObjectRules {
  /** The schema of everything except the head of the object. */
  schema: OpenApiSchema;
  /** As defined, including its rules for metadata. */
  whole: OpenApiSchema;
  /** With the parts of the head that expressions can use. */
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

/** The definition's rules for names, which apply to creations. */
const validateName = ({ properties = {} }: OpenApiSchema, { metadata }: KubeObject, work: Work): FieldError[] =>
  properties.metadata ? validateForeign(properties.metadata, metadata, { path: 'metadata', work }) : [];

/** After these errors, expressions are not evaluated, because they could not rely on the types of their input. */
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

/** Upstream's name of the whole object. */
const atRoot = (error: FieldError): FieldError => (error.field === '' ? { ...error, field: '<nil>' } : error);

/** For a condition that the complete object violates, upstream shows an empty value. */
const withoutValue = (error: FieldError): FieldError =>
  error.field === '<nil>' ? { ...error, badValue: error.badValue ?? '' } : error;

/** Creates the validation of complete objects of a version; parts that only depend on the schema are computed once. */
export const makeValidateObject = ({ schema, whole, visible, scale }: ObjectRules) => {
  const embeds = hasEmbedded(schema);
  const isRuled = hasRules(visible);
  return (object: KubeObject, old: KubeObject | undefined): FieldError[] => {
    const work = new Work();
    const errors = [
      ...validateForeign(schema, object, { old, work }).map((error) => withoutValue(atRoot(error))),
      ...(old ? [] : validateName(whole, object, work)),
      ...validateScale(scale, object),
      ...(embeds ? validateEmbedded(schema, object, '') : []),
    ];
    if (!isRuled) return errors;
    if (errors.some(({ type }) => BLOCKING.has(type))) return [...errors, UNCHECKED];
    return [...errors, ...validateRules(visible, object, old, '', { isRatcheting: true, work }).map(atRoot)];
  };
};
