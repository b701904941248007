import { isObject, type JsonObject } from '../../../json.ts';
import { documentMessage } from './messages.ts';

/** Members that the message for a schema contains unchanged; all others have their own messages. */
const PLAIN = [
  ...['format', 'description', 'maximum', 'minimum', 'maxLength', 'minLength', 'pattern'],
  ...['maxItems', 'minItems', 'maxProperties', 'minProperties', 'required'],
];

/** A JSON document of OpenAPI v2 in the protobuf form that kubectl before 1.30 and Argo CD request. */
export const encodeDocument = ({ swagger, info, paths, definitions }: JsonObject): Uint8Array => {
  const type = documentMessage('Document');
  if (!type) throw new Error('no message for the OpenAPI document');
  const document = {
    swagger,
    info,
    paths: { path: named(paths, pathItem) },
    definitions: { additionalProperties: named(definitions, schemaMessage) },
  };
  return type.encode(document).finish();
};

/** Any value is YAML in a string, and JSON is YAML. */
const any = (value: unknown): JsonObject => ({ yaml: JSON.stringify(value) });

const named = (members: unknown, encode: (member: JsonObject) => JsonObject): JsonObject[] =>
  Object.entries(isObject(members) ? members : {}).map(([name, member]) => ({
    name,
    value: encode(member as JsonObject),
  }));

const extensionsOf = (value: JsonObject): JsonObject[] =>
  Object.keys(value)
    .filter((key) => key.startsWith('x-'))
    .map((name) => ({ name, value: any(value[name]) }));

const pick = (value: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));

const schemaMessage = (schema: JsonObject): JsonObject => {
  const { $ref, default: preset, enum: values, additionalProperties, type, items, properties } = schema;
  return {
    ...pick(schema, PLAIN),
    ...($ref === undefined ? {} : { ref: $ref }),
    ...(preset === undefined ? {} : { default: any(preset) }),
    ...(Array.isArray(values) ? { enum: values.map(any) } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: valuesMessage(additionalProperties) }),
    ...(type === undefined ? {} : { type: { value: [type] } }),
    ...(isObject(items) ? { items: { schema: [schemaMessage(items)] } } : {}),
    ...(isObject(properties) ? { properties: { additionalProperties: named(properties, schemaMessage) } } : {}),
    vendorExtension: extensionsOf(schema),
  };
};

const valuesMessage = (values: unknown): JsonObject =>
  isObject(values) ? { schema: schemaMessage(values) } : { boolean: values === true };

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const pathItem = (item: JsonObject): JsonObject => ({
  ...Object.fromEntries(METHODS.filter((method) => item[method]).map((method) => [method, operation(item[method])])),
  parameters: parameters(item.parameters),
});

const operation = (value: unknown): JsonObject => {
  const source = value as JsonObject;
  return {
    ...pick(source, ['description', 'operationId', 'produces', 'consumes']),
    parameters: parameters(source.parameters),
    responses: { responseCode: named(source.responses, response) },
    vendorExtension: extensionsOf(source),
  };
};

const parameters = (list: unknown): JsonObject[] =>
  (Array.isArray(list) ? list : []).map((entry: JsonObject) => ({ parameter: parameter(entry) }));

const parameter = (entry: JsonObject): JsonObject => {
  if (entry.in === 'body') return { body: { ...entry, schema: schemaMessage(entry.schema as JsonObject) } };
  return { nonBody: entry.in === 'path' ? { path: entry } : { query: entry } };
};

const response = ({ description, schema }: JsonObject): JsonObject => ({
  response: { description, ...(isObject(schema) ? { schema: { schema: schemaMessage(schema) } } : {}) },
});
