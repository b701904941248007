import type { JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import type { OpenApiSchema, PrinterColumn, ResourceDefinition } from './resource.ts';
import { describedSchema, type TextsOf } from './schema/with-descriptions.ts';

/** A `CustomResourceDefinition` of apiextensions.k8s.io/v1 without its status. */
export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    scope: 'Namespaced' | 'Cluster';
    names: CustomResourceNames;
    versions: CustomResourceVersion[];
    conversion: { strategy: 'None' };
  };
}

export interface CustomResourceNames {
  plural: string;
  singular: string;
  kind: string;
  listKind: string;
  shortNames?: string[];
  categories?: string[];
}

export interface CustomResourceVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: true;
  schema: { openAPIV3Schema: OpenApiSchema };
  subresources?: JsonObject;
  additionalPrinterColumns?: JsonObject[];
  selectableFields?: { jsonPath: string }[];
}

/** Extensions for built-in kinds, which a CustomResourceDefinition must not contain. */
const BUILT_IN_ONLY: ReadonlySet<string> = new Set(['x-kubernetes-patch-merge-key', 'x-kubernetes-patch-strategy']);

/** Members of a schema that contain schemas by the names of fields. */
const BY_FIELD = 'properties';

/**
 * The CustomResourceDefinition with which a Kubernetes API server would serve a kind in the same way, as far as schemas
 * can express it. The first of `versions` is the stored one. Pure. `labels` are those of the definition object, in
 * which Cluster API stores its contract versions, and `textsOf` returns the descriptions of the fields.
 */
export const customResourceDefinitionOf = (
  versions: readonly [ResourceDefinition, ...ResourceDefinition[]],
  { labels, textsOf = () => undefined }: { labels?: Record<string, string>; textsOf?: TextsOf } = {},
): CustomResourceDefinition => {
  const [stored] = versions;
  const { group, plural, namespaced } = stored;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(labels ? { labels } : {}) },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: namesOf(stored),
      versions: versions.map((version) => versionOf(version, version === stored, textsOf)),
      conversion: { strategy: 'None' },
    },
  };
};

/** The names of a kind, without the lists that are empty. */
const namesOf = ({ plural, singular, kind, shortNames, categories }: ResourceDefinition): CustomResourceNames => ({
  plural,
  singular,
  kind,
  listKind: `${kind}List`,
  ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
  ...(categories.length > 0 ? { categories: [...categories] } : {}),
});

const versionOf = (definition: ResourceDefinition, storage: boolean, textsOf: TextsOf): CustomResourceVersion => {
  const { version, statusSubresource, scale, selectableFields = [] } = definition;
  const columns = definition.columns.filter(({ value }) => value === undefined).map(columnOf);
  return {
    name: version,
    served: true,
    storage,
    ...(definition.view?.version.deprecated ? { deprecated: true } : {}),
    schema: { openAPIV3Schema: wholeSchema(describedSchema(definition, textsOf)) },
    ...(statusSubresource || scale
      ? { subresources: { ...(statusSubresource ? { status: {} } : {}), ...(scale ? { scale: { ...scale } } : {}) } }
      : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
    ...(selectableFields.length > 0 ? { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) } : {}),
  };
};

const columnOf = ({ name, type, jsonPath, format, description, priority }: PrinterColumn): JsonObject => ({
  name,
  type,
  ...(format === undefined ? {} : { format }),
  ...(description === undefined ? {} : { description }),
  ...(priority ? { priority } : {}),
  jsonPath,
});

/** The schema may only say that metadata is an object, because the server has its own rules for metadata. */
const wholeSchema = (schema: OpenApiSchema): OpenApiSchema => {
  const { properties, ...rest } = withoutBuiltInOnly(schema) as OpenApiSchema;
  return {
    ...rest,
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...properties,
    },
  };
};

const withoutBuiltInOnly = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutBuiltInOnly);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => !BUILT_IN_ONLY.has(key));
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === BY_FIELD ? fieldsOf(member) : withoutBuiltInOnly(member)]),
  );
};

const fieldsOf = (properties: object): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([field, schema]) => [field, withoutBuiltInOnly(schema)]));
