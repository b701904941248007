import * as z from 'zod';
import type { OpenApiSchema } from '../../kube-api/resource.ts';

/** The bounds that zod writes for every integer; the format has the same meaning. */
const SAFE_INTEGER_BOUNDS = new Set<unknown>([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/**
 * Converts what JSON Schema can express and a structural schema cannot, or expresses differently. Called for every
 * node, including wrappers.
 */
const makeStructural = (node: Record<string, unknown>): void => {
  delete node.propertyNames;
  if (node.additionalProperties === false) delete node.additionalProperties;
  if (node['x-kubernetes-int-or-string'] === true) delete node.anyOf;
  if (SAFE_INTEGER_BOUNDS.has(node.minimum)) delete node.minimum;
  if (SAFE_INTEGER_BOUNDS.has(node.maximum)) delete node.maximum;
};

const convert = (schema: z.ZodType): OpenApiSchema =>
  z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    override: ({ jsonSchema }) => makeStructural(jsonSchema as Record<string, unknown>),
  }) as OpenApiSchema;

const converted = new WeakMap<z.ZodType, OpenApiSchema>();

/**
 * The structural OpenAPI v3 schema of a zod schema: no `$ref`, no `additionalProperties: false`, integer formats
 * instead of bounds, `x-kubernetes-*` from `.meta()`. Defaulted fields are optional, because it describes what clients
 * send.
 *
 * Created at its first use and then cached. Definitions read it through a getter, so that a starting function only
 * creates the schemas of kinds that it uses.
 */
export const toOpenApi = (schema: z.ZodType): OpenApiSchema => {
  const known = converted.get(schema) ?? convert(schema);
  converted.set(schema, known);
  return known;
};
