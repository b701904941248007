import { invalidValue } from '../../../kube-api/field-error.ts';
import { isObject } from '../../../kube-api/json.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { applyDefaults } from '../../../kube-api/schema/default.ts';
import type { StatusVariable } from '../variable-schema.ts';
import { type Definition, indexDefinitions, rawOf, repeatedValues, type VariableValue } from './definitions.ts';

const KEY = 'value';

/** A value with the defaults of its schema; undefined if there is neither a value nor a default. */
const defaulted = ({ name, schema }: Definition, current: VariableValue | undefined): VariableValue | undefined => {
  if (current === undefined && schema.default === undefined) return undefined;
  // Defaults apply to the members of an object, so the value is wrapped in one.
  const wrapped = applyDefaults({ type: 'object', properties: { [KEY]: schema } }, { [KEY]: current?.value ?? null });
  return { name, value: (isObject(wrapped) ? wrapped[KEY] : undefined) ?? null };
};

/**
 * The variables with the defaults of the class (internal/topology/variables/cluster_variable_defaulting.go). Variables
 * that are set keep their order, and those that only have a default follow. `creates`: whether the latter are added, as
 * for the variables of the cluster but not for overrides.
 */
export const defaultVariables = (
  values: readonly VariableValue[],
  variables: readonly StatusVariable[],
  field: string,
  { creates }: { creates: boolean },
): { values: VariableValue[]; errors: FieldError[] } => {
  const { known, errors: contradictions } = indexDefinitions(variables, field);
  const repeated = repeatedValues(values, field);
  if (repeated.length > 0 || contradictions.length > 0) {
    return { values: [], errors: repeated.length > 0 ? repeated : contradictions };
  }
  const errors = values
    .filter(({ name }) => !known.has(name))
    .map(({ name, value }) => invalidValue(`${field}[${name}]`, rawOf(value), 'variable is not defined'));
  if (errors.length > 0) return { values: [], errors };
  const set = new Map(values.map((value) => [value.name, value]));
  const names = [...set.keys(), ...(creates ? [...known.keys()].filter((name) => !set.has(name)) : [])];
  const result = names.flatMap((name): VariableValue[] => {
    const definition = known.get(name);
    const value = definition && defaulted(definition, set.get(name));
    return value ? [value] : [];
  });
  return { values: result, errors: [] };
};
