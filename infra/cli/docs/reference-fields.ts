/** The rows of a kind's table of fields. Pure: derived only from the schema and its descriptions. */
import type { OpenApiSchema } from '../../../shared/kube-api/resource.ts';

export interface FieldRow {
  /** For example `spec.files[].path`: `[]` means the items of a list, `{}` the values of a map. */
  path: string;
  type: string;
  default: string;
  /** Whether the field is required in the object that contains it. */
  required: boolean;
  text: string;
}

const simpleType = ({ type, format, ...schema }: OpenApiSchema): string => {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (format === 'date-time') return 'time';
  return type ?? 'any';
};

const isMap = ({ additionalProperties }: OpenApiSchema): boolean =>
  additionalProperties !== undefined && additionalProperties !== false;

const valuesOf = ({ additionalProperties }: OpenApiSchema): OpenApiSchema =>
  typeof additionalProperties === 'object' ? additionalProperties : {};

/** The type as text, such as `list of object` or, for an enumeration, its values. */
const typeOf = (schema: OpenApiSchema): string => {
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (isMap(schema)) return `map of ${typeOf(valuesOf(schema))}`;
  return simpleType(schema);
};

const insideOf = (schema: OpenApiSchema, path: string): FieldRow[] => {
  if (schema.items) return insideOf(schema.items, `${path}[]`);
  if (isMap(schema)) return insideOf(valuesOf(schema), `${path}{}`);
  return rowsOf(schema, path === '' ? '' : `${path}.`);
};

const rowsOf = ({ properties = {}, required = [] }: OpenApiSchema, prefix: string): FieldRow[] =>
  Object.entries(properties).flatMap(([name, field]) => [
    {
      path: `${prefix}${name}`,
      type: typeOf(field),
      default: field.default === undefined ? '' : JSON.stringify(field.default),
      required: required.includes(name),
      text: field.description ?? '',
    },
    ...insideOf(field, `${prefix}${name}`),
  ]);

/** All fields of a schema, each before those inside it. */
export const fieldRows = (schema: OpenApiSchema): FieldRow[] => rowsOf(schema, '');
