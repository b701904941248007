import { validateRules } from '../../../kube-api/cel/rules.ts';
import { invalidValue, required } from '../../../kube-api/field-error.ts';
import { isObject } from '../../../kube-api/json.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { prune } from '../../../kube-api/schema/prune.ts';
import { validateForeign } from '../../../kube-api/schema/validate-foreign.ts';
import type { Work } from '../../../kube-api/work.ts';
import type { StatusVariable } from '../variable-schema.ts';
import { type Definition, indexDefinitions, rawOf, repeatedValues, type VariableValue } from './definitions.ts';

/** An error within a value in upstream's form: below `value`, with the complete value as the invalid one. */
const placed = (error: FieldError, field: string, raw: string): FieldError => {
  const below = error.field === '' || error.field.startsWith('[') ? error.field : `.${error.field}`;
  return { ...error, field: `${field}.value${below}`, badValue: raw, detail: error.detail.replace(/^ in body /, '') };
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
};

/** A value with its defaults in Go's text form: members in the order of their names. */
const textOf = (value: unknown): string => rawOf(sorted(value));

const unknownFields = ({ name, schema }: Definition, value: unknown, field: string): FieldError[] => {
  const { unknown } = prune(schema, value);
  if (unknown.length === 0) return [];
  const detail = `failed validation: "${unknown.join(',')}" field(s) are not specified in the variable schema of variable "${name}"`;
  return [invalidValue(field, textOf(value), detail)];
};

const validateValue = (
  definition: Definition,
  { value, old }: { value: unknown; old: unknown },
  field: string,
  work: Work,
): FieldError[] => {
  const { schema } = definition;
  const raw = textOf(value);
  const bySchema = validateForeign(schema, value, { work });
  if (bySchema.length > 0) return bySchema.map((error) => placed(error, field, raw));
  const unknown = unknownFields(definition, value, field);
  if (unknown.length > 0) return unknown;
  return validateRules(schema, value, old, '', { work }).map((error) => placed(error, field, raw));
};

/**
 * Errors of variables against their definitions, with Cluster API's messages
 * (internal/topology/variables/cluster_variable_validation.go). `isCluster`: variables that the class requires must be
 * set, which applies to the variables of the cluster, not to overrides. `old`: the variables before an update.
 * `work`: what the validation of the whole topology may do.
 */
export const validateVariables = (
  values: readonly VariableValue[],
  old: readonly VariableValue[],
  variables: readonly StatusVariable[],
  field: string,
  { isCluster, work }: { isCluster: boolean; work: Work },
): FieldError[] => {
  const repeated = repeatedValues(values, field);
  if (repeated.length > 0) return repeated;
  const { known, errors } = indexDefinitions(variables, field);
  if (errors.length > 0) return errors;
  const missing = [...known.values()].filter((it) => it.required && !values.some(({ name }) => name === it.name));
  return [
    ...(isCluster ? missing.map(({ name }) => required(field, `required variable "${name}" must be set`)) : []),
    ...values.flatMap(({ name, value }) => {
      const definition = known.get(name);
      const at = `${field}[${name}]`;
      if (!definition) return [invalidValue(at, rawOf(value), 'variable is not defined')];
      return validateValue(definition, { value, old: old.find((it) => it.name === name)?.value }, at, work);
    }),
  ];
};
