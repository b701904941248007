import type { OpenApiSchema } from '../resource.ts';

/** Schemas of the kind CustomResourceDefinition (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go). */

const text: OpenApiSchema = { type: 'string' };
const flag: OpenApiSchema = { type: 'boolean' };
const int32: OpenApiSchema = { type: 'integer', format: 'int32' };
const int64: OpenApiSchema = { type: 'integer', format: 'int64' };
const number: OpenApiSchema = { type: 'number', format: 'double' };
const any: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true };

const described = (schema: OpenApiSchema, description: string): OpenApiSchema => ({ ...schema, description });

const struct = (properties: Record<string, OpenApiSchema>, required: string[] = []): OpenApiSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

const atomicList = (items: OpenApiSchema): OpenApiSchema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'atomic',
});

const texts = atomicList(text);
const mapOf = (values: OpenApiSchema): OpenApiSchema => ({ type: 'object', additionalProperties: values });

const rule = struct(
  {
    rule: text,
    message: text,
    messageExpression: text,
    reason: text,
    fieldPath: text,
    optionalOldSelf: flag,
  },
  ['rule'],
);

/** Members of schemas that contain no schemas. */
const PLAIN_MEMBERS: Record<string, OpenApiSchema> = {
  id: text,
  $schema: text,
  $ref: text,
  description: text,
  type: text,
  format: text,
  title: text,
  default: any,
  maximum: number,
  exclusiveMaximum: flag,
  minimum: number,
  exclusiveMinimum: flag,
  maxLength: int64,
  minLength: int64,
  pattern: text,
  maxItems: int64,
  minItems: int64,
  uniqueItems: flag,
  multipleOf: number,
  enum: atomicList(any),
  maxProperties: int64,
  minProperties: int64,
  required: texts,
  externalDocs: struct({ description: text, url: text }),
  example: any,
  nullable: flag,
  'x-kubernetes-preserve-unknown-fields': flag,
  'x-kubernetes-embedded-resource': flag,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-map-keys': texts,
  'x-kubernetes-list-type': text,
  'x-kubernetes-map-type': text,
  'x-kubernetes-validations': {
    type: 'array',
    items: rule,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['rule'],
  },
};

/**
 * The schema of schemas, which contains itself: it is only used to read bodies. The members of `additionalProperties`,
 * `items` and `dependencies` may be something other than a schema, which validation checks.
 */
const makeSchemaOfSchemas = (): OpenApiSchema => {
  const schema: OpenApiSchema = struct({});
  // A schema, or another value that admission checks: a boolean, or a list of schemas.
  const eitherWay: OpenApiSchema = { properties: schema.properties ?? {} };
  const list = atomicList(schema);
  const schemas = mapOf(schema);
  Object.assign(schema.properties as Record<string, OpenApiSchema>, {
    ...PLAIN_MEMBERS,
    items: eitherWay,
    allOf: list,
    oneOf: list,
    anyOf: list,
    not: schema,
    properties: schemas,
    additionalProperties: eitherWay,
    patternProperties: schemas,
    dependencies: any,
    additionalItems: any,
    definitions: schemas,
  });
  return schema;
};

/** For schemas in bodies; recursive. */
export const SCHEMA_OF_SCHEMAS: OpenApiSchema = makeSchemaOfSchemas();

const names = struct(
  {
    plural: described(text, 'Name of the kind in URLs. All lower case.'),
    singular: described(text, 'Name for one object. Defaults to the kind in lower case.'),
    shortNames: described(texts, 'Short names that clients accept.'),
    kind: described(text, 'Kind of the objects, in CamelCase.'),
    listKind: described(text, 'Kind of lists. Defaults to the kind with List.'),
    categories: described(texts, 'Categories, such as all, by which clients list several kinds at once.'),
  },
  ['plural', 'kind'],
);

const column = struct(
  {
    name: described(text, 'Heading of the column.'),
    type: described(text, 'One of integer, number, string, boolean and date.'),
    format: described(text, 'Format of the values, such as int32 or date-time.'),
    description: described(text, 'What the column shows.'),
    priority: described(int32, 'Above 0: shown only in wide tables.'),
    jsonPath: described(text, 'Path of the value in each object.'),
  },
  ['name', 'type', 'jsonPath'],
);

const subresources = struct({
  status: described({ type: 'object' }, 'Whether the status is written through an endpoint of its own.'),
  scale: described(
    struct(
      {
        specReplicasPath: described(text, 'Path of the desired number, under .spec.'),
        statusReplicasPath: described(text, 'Path of the observed number, under .status.'),
        labelSelectorPath: described(text, 'Path of a label selector in the form of a text.'),
      },
      ['specReplicasPath', 'statusReplicasPath'],
    ),
    'The endpoint of autoscalers and of kubectl scale.',
  ),
});

const versionOf = (schemaOfSchemas: OpenApiSchema): OpenApiSchema =>
  struct(
    {
      name: described(text, 'Name of the version, such as v1beta1.'),
      served: described(flag, 'Whether the version can be used.'),
      storage: described(flag, 'Whether objects are stored in the version. True for exactly one.'),
      deprecated: described(flag, 'Whether clients of the version are warned.'),
      deprecationWarning: described(text, 'The warning, in place of the usual one.'),
      schema: described(
        struct({ openAPIV3Schema: described(schemaOfSchemas, 'The structural schema of the objects.') }),
        'How objects are pruned, defaulted and validated.',
      ),
      subresources: described(subresources, 'Further endpoints of each object.'),
      additionalPrinterColumns: described(atomicList(column), 'Columns of tables. Only the age unless given.'),
      selectableFields: described(
        atomicList(struct({ jsonPath: text }, ['jsonPath'])),
        'Fields that field selectors may name, at most eight.',
      ),
    },
    ['name', 'served', 'storage'],
  );

const webhook = struct(
  {
    clientConfig: described(
      struct({
        url: described(text, 'Where reviews are posted: an https URL.'),
        service: described(
          struct({ namespace: text, name: text, path: text, port: int32 }, ['namespace', 'name']),
          'Refused: there is no cluster that has services.',
        ),
        caBundle: described({ type: 'string', format: 'byte' }, 'The authorities that are trusted, as PEM in base64.'),
      }),
      'How the server is reached.',
    ),
    conversionReviewVersions: described(texts, 'Versions of ConversionReview, the preferred one first: v1, v1beta1.'),
  },
  ['conversionReviewVersions'],
);

const condition = struct(
  {
    type: text,
    status: text,
    observedGeneration: int64,
    lastTransitionTime: { type: 'string', format: 'date-time' },
    reason: text,
    message: text,
  },
  ['type', 'status'],
);

const specOf = (schemaOfSchemas: OpenApiSchema): OpenApiSchema =>
  struct(
    {
      group: described(text, 'API group of the kind, a DNS name.'),
      names: described(names, 'Names of the kind.'),
      scope: described(text, 'Namespaced or Cluster.'),
      versions: described(atomicList(versionOf(schemaOfSchemas)), 'Versions of the kind.'),
      conversion: described(
        struct(
          {
            strategy: described(text, 'None: versions differ in their apiVersion only. Webhook: a server converts.'),
            webhook: described(webhook, 'The server that converts.'),
          },
          ['strategy'],
        ),
        'How objects are converted between versions.',
      ),
      preserveUnknownFields: described(flag, 'Must be false.'),
    },
    ['group', 'names', 'scope', 'versions'],
  );

const status = described(
  struct({
    acceptedNames: described(names, 'Names under which the kind is served.'),
    storedVersions: described(texts, 'Versions in which objects may be stored.'),
    conditions: described(
      {
        type: 'array',
        items: condition,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
      },
      'Whether the names are accepted, and whether the kind is served.',
    ),
  }),
  'Whether the kind is served, and under which names.',
);

const kindOf = (schemaOfSchemas: OpenApiSchema): OpenApiSchema => ({
  type: 'object',
  description: 'CustomResourceDefinition describes a kind that this server offers.',
  properties: {
    spec: described(specOf(schemaOfSchemas), 'Names, scope, versions and schemas of the kind.'),
    status,
  },
  required: ['spec'],
});

/** For documents and server-side apply; not recursive, because a schema of schemas would have to contain itself. */
export const DEFINITION_SCHEMA: OpenApiSchema = kindOf({ type: 'object', ...any });

/** The form for reading bodies, which also finds unknown fields of schemas. */
export const DEFINITION_BODY_SCHEMA: OpenApiSchema = kindOf(SCHEMA_OF_SCHEMAS);
