import * as z from 'zod';
import { anyJson, flag, int64, keyedList, list, someOf, struct, text, textMap } from '../schema/fields.ts';

/** Variables of a ClusterClass, in its spec and status. */

const metadata = someOf({ labels: textMap, annotations: textMap });

/** Upstream defaults `reason`. With a default inside a list item, every `kubectl apply` would send a patch. */
const validationRule = struct(
  { rule: text(1, 4096) },
  {
    message: text(1, 512),
    messageExpression: text(1, 1024),
    reason: z.enum(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']),
    fieldPath: text(1, 512),
  },
);

/** A schema as in a CustomResourceDefinition. Nested schemas may be any JSON here, and admission checks them. */
const jsonSchema = someOf({
  description: text(1, 4096),
  example: anyJson,
  type: z.enum(['object', 'array', 'string', 'integer', 'number', 'boolean']),
  properties: anyJson,
  additionalProperties: anyJson,
  maxProperties: int64(),
  minProperties: int64(),
  required: list(text(1, 256), { min: 1, max: 1000 }),
  items: anyJson,
  maxItems: int64(),
  minItems: int64(),
  uniqueItems: flag,
  format: text(1, 32),
  maxLength: int64(),
  minLength: int64(),
  pattern: text(1, 512),
  maximum: int64(),
  exclusiveMaximum: flag,
  minimum: int64(),
  exclusiveMinimum: flag,
  'x-kubernetes-preserve-unknown-fields': flag,
  enum: list(anyJson, { max: 100 }),
  default: anyJson,
  'x-kubernetes-validations': keyedList(['rule'], validationRule, { min: 1, max: 100 }),
  'x-metadata': metadata,
  'x-kubernetes-int-or-string': flag,
  allOf: anyJson,
  oneOf: anyJson,
  anyOf: anyJson,
  not: anyJson,
});

const definition = {
  required: flag,
  schema: struct({ openAPIV3Schema: jsonSchema }, {}),
};

const variable = struct({ name: text(1, 256), ...definition }, { deprecatedV1Beta1Metadata: metadata });

export const variables = list(variable, { min: 1, max: 1000 });

const statusDefinition = struct({ from: text(1, 256), ...definition }, { deprecatedV1Beta1Metadata: metadata });

const statusVariable = struct(
  { name: text(1, 256), definitions: list(statusDefinition, { min: 1, max: 100 }) },
  { definitionsConflict: flag },
);

export const statusVariables = list(statusVariable, { max: 1000 });

export type ClassVariable = z.input<typeof variable>;
export type VariableSchema = z.input<typeof jsonSchema>;

/** A variable in the status of a class, with all definitions of it. */
export type StatusVariable = z.input<typeof statusVariable>;
