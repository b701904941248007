import { invalidValue } from '../field-error.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';

/** Validates the value by one of the composed schemas. */
type Validate = (schema: OpenApiSchema) => FieldError[];

const title = (path: string): string => `"${path}"`;

/** The errors of the alternative with the fewest errors; the first one if several have as few. */
const nearest = (alternatives: readonly FieldError[][]): FieldError[] =>
  alternatives.reduce((best, errors) => (errors.length < best.length ? errors : best), alternatives[0] ?? []);

const validateAny = (schemas: readonly OpenApiSchema[], path: string, validate: Validate): FieldError[] => {
  const alternatives = schemas.map(validate);
  if (alternatives.some((errors) => errors.length === 0)) return [];
  const why = `${title(path)} must validate at least one schema (anyOf)`;
  return [invalidValue('', undefined, why), ...nearest(alternatives)];
};

const validateOne = (schemas: readonly OpenApiSchema[], path: string, validate: Validate): FieldError[] => {
  const alternatives = schemas.map(validate);
  const valid = alternatives.filter((errors) => errors.length === 0).length;
  if (valid === 1) return [];
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  const why = `${title(path)} must validate one and only one schema (oneOf). ${found}`;
  return [invalidValue('', undefined, why), ...(valid === 0 ? nearest(alternatives) : [])];
};

const validateAll = (schemas: readonly OpenApiSchema[], path: string, validate: Validate): FieldError[] => {
  const all = schemas.map(validate);
  const errors = all.flat();
  if (errors.length === 0) return [];
  const none = all.every((it) => it.length > 0) ? '. None validated' : '';
  return [...errors, invalidValue('', undefined, `${title(path)} must validate all the schemas (allOf)${none}`)];
};

/**
 * Validates by `anyOf`, `oneOf`, `allOf` and `not`, with upstream's messages
 * (k8s.io/kube-openapi/pkg/validation/validate/schema_props.go). As upstream, the field of the summary is empty, which
 * stands for the root of the value.
 */
export const validateComposed = (schema: OpenApiSchema, path: string, validate: Validate): FieldError[] => [
  ...(schema.anyOf ? validateAny(schema.anyOf, path, validate) : []),
  ...(schema.oneOf ? validateOne(schema.oneOf, path, validate) : []),
  ...(schema.allOf ? validateAll(schema.allOf, path, validate) : []),
  ...(schema.not && validate(schema.not).length === 0
    ? [invalidValue('', undefined, `${title(path)} must not validate the schema (not)`)]
    : []),
];
