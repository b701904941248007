import { validateRules } from '../cel/rules.ts';
import { invalidValue } from '../field-error.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { prune } from '../schema/prune.ts';
import { validateForeign } from '../schema/validate-foreign.ts';
import type { Work } from '../work.ts';
import { valueParts } from './schema-walk.ts';
import { withEmbeddedHead, withVisibleHead } from './typed-schema.ts';

const validateDefault = (schema: OpenApiSchema, field: string, work: Work): FieldError[] => {
  const { default: value } = schema;
  if (value === undefined) return [];
  const at = `${field}.default`;
  const known = withEmbeddedHead({ properties: { value: schema } }).properties?.value ?? schema;
  if (prune(known, value).unknown.length > 0) return [invalidValue(at, value, 'must not have unknown fields')];
  // As in upstream, messages begin below the location of the value.
  const errors = validateForeign(known, value, { work }).map((error) => ({
    ...error,
    field: error.field === '' ? at : `${at}.${error.field}`,
  }));
  if (errors.length > 0) return errors;
  const visible = withVisibleHead({ properties: { value: schema } }).properties?.value ?? schema;
  return validateRules(visible, value, undefined, at, { work });
};

/**
 * Defaults must match their schema (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting). Those of values of
 * maps are forbidden elsewhere. Pure.
 */
export const validateDefaults = (schema: OpenApiSchema, field: string, work: Work): FieldError[] => {
  const { properties, items, additional } = valueParts(schema, field);
  const within = [...properties, ...(items ? [items] : []), ...(additional ? [additional] : [])];
  return [
    ...validateDefault(schema, field, work),
    ...within.flatMap((part) => validateDefaults(part.schema, part.field, work)),
  ];
};
