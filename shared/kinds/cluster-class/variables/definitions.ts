import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError, OpenApiSchema } from '../../../kube-api/resource.ts';
import type { ClassVariable, StatusVariable } from '../variable-schema.ts';

/** A variable that is set for a cluster, its control plane or a group of workers. */
export interface VariableValue {
  name: string;
  value: unknown;
}

export interface Definition {
  name: string;
  required: boolean;
  schema: OpenApiSchema;
}

/** The source of inline definitions in the status of a class. */
const VARIABLES_FROM_INLINE = 'inline';

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : Number(a.name > b.name));

/** The status of a class whose variables are all defined inline, in the order of their names. */
export const inlineDefinitions = (variables: readonly ClassVariable[] = []): StatusVariable[] =>
  variables.toSorted(byName).map(({ name, required, schema, deprecatedV1Beta1Metadata }) => ({
    name,
    definitionsConflict: false,
    definitions: [
      {
        from: VARIABLES_FROM_INLINE,
        required: required ?? false,
        schema,
        ...(deprecatedV1Beta1Metadata ? { deprecatedV1Beta1Metadata } : {}),
      },
    ],
  }));

/** The JSON text of a value in errors. */
export const rawOf = (value: unknown): string => JSON.stringify(value ?? null);

/**
 * The definitions of a class by the names of the variables, or an error if the class contradicts itself
 * (internal/topology/variables/utils.go).
 */
export const indexDefinitions = (
  variables: readonly StatusVariable[],
  field: string,
): { known: ReadonlyMap<string, Definition>; errors: FieldError[] } => {
  const faults = variables.flatMap(({ name, definitions, definitionsConflict }) => [
    ...(definitions.length === 0 ? [`variable "${name}" has no definitions`] : []),
    ...(definitionsConflict ? [`variable "${name}" has conflicting definitions`] : []),
  ]);
  const known = new Map(
    variables.flatMap(({ name, definitions: [first] }): [string, Definition][] =>
      first
        ? [[name, { name, required: first.required ?? false, schema: first.schema.openAPIV3Schema as OpenApiSchema }]]
        : [],
    ),
  );
  if (faults.length === 0) return { known, errors: [] };
  const names = `[${variables.map(({ name }) => `Name: ${name}`).join(',')}]`;
  const why = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
  const detail = `variable definitions in the ClusterClass not valid: ${why}`;
  return { known, errors: [{ type: 'FieldValueTypeInvalid', field, badValue: names, detail }] };
};

/** Each variable may only be set once. */
export const repeatedValues = (values: readonly VariableValue[], field: string): FieldError[] =>
  values
    .filter(({ name }, index) => values.findIndex((it) => it.name === name) < index)
    .map(({ name, value }) =>
      invalidValue(`${field}[${name}]`, rawOf(value), `variable "${name}" is set more than once`),
    );
