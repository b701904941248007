import { isObject, type JsonObject } from '../../../json.ts';
import { legacySchema } from './schema.ts';

/** The contents of a group version in both versions of OpenAPI, in the form of version 3. */
export interface Part {
  paths: Readonly<Record<string, JsonObject>>;
  schemas: Readonly<Record<string, JsonObject>>;
}

/** One OpenAPI v2 document of everything that is served. There are no documents for single group versions in v2. */
export const legacyDocument = (parts: readonly Part[], version: string): JsonObject => ({
  swagger: '2.0',
  info: { title: 'Windlass', version },
  paths: Object.assign({}, ...parts.map(({ paths }) => mapMembers(paths, pathItem))),
  definitions: Object.assign({}, ...parts.map(({ schemas }) => mapMembers(schemas, legacySchema))),
});

const mapMembers = (
  members: Readonly<Record<string, JsonObject>>,
  change: (member: JsonObject) => JsonObject,
): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));

const pathItem = (item: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      key === 'parameters' ? parameters(value) : operation(value as JsonObject),
    ]),
  );

const operation = ({ parameters: given, requestBody, responses, ...rest }: JsonObject): JsonObject => {
  const body = isObject(requestBody) ? contentOf(requestBody) : undefined;
  const answer = contentOf((responses as JsonObject)['200'] as JsonObject);
  return {
    ...rest,
    ...(body ? { consumes: body.types } : {}),
    produces: answer.types,
    parameters: [
      ...(body ? [{ name: 'body', in: 'body', required: true, schema: body.schema }] : []),
      ...parameters(given),
    ],
    responses: { '200': { description: 'OK', schema: answer.schema } },
  };
};

/** The media types of a body and its schema, which is the same for all of them. */
const contentOf = ({ content }: JsonObject): { types: string[]; schema: JsonObject } => {
  const types = content as Record<string, { schema: JsonObject }>;
  return { types: Object.keys(types), schema: legacySchema(Object.values(types)[0]?.schema ?? {}) };
};

const parameters = (given: unknown): JsonObject[] =>
  (given as JsonObject[]).map(({ schema, ...rest }) => ({ ...rest, ...(schema as JsonObject) }));
