import { isObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';

/** A schema within another one, and the field in errors about it. */
export interface SchemaPart {
  schema: OpenApiSchema;
  field: string;
}

/** The schemas of a value's parts: members, items and values of maps. */
export interface ValueParts {
  properties: (SchemaPart & { name: string })[];
  items: SchemaPart | undefined;
  additional: SchemaPart | undefined;
}

export const valueParts = ({ properties, items, additionalProperties }: OpenApiSchema, field: string): ValueParts => ({
  properties: Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    field: `${field}.properties[${name}]`,
  })),
  items: isObject(items) ? { schema: items, field: `${field}.items` } : undefined,
  additional: isObject(additionalProperties)
    ? { schema: additionalProperties, field: `${field}.additionalProperties` }
    : undefined,
});

/** Additional schemas that a value must match: `allOf`, `anyOf`, `oneOf` and `not`. */
export const junctors = ({ allOf = [], anyOf = [], oneOf = [], not }: OpenApiSchema, field: string): SchemaPart[] => [
  ...(not ? [{ schema: not, field: `${field}.not` }] : []),
  ...allOf.map((schema, index) => ({ schema, field: `${field}.allOf[${index}]` })),
  ...oneOf.map((schema, index) => ({ schema, field: `${field}.oneOf[${index}]` })),
  ...anyOf.map((schema, index) => ({ schema, field: `${field}.anyOf[${index}]` })),
];

/** All schemas directly within a schema. */
export const allParts = (schema: OpenApiSchema, field: string): SchemaPart[] => {
  const { properties, items, additional } = valueParts(schema, field);
  return [...properties, ...(items ? [items] : []), ...(additional ? [additional] : []), ...junctors(schema, field)];
};
