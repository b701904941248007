import type { OpenApiSchema, ResourceDefinition, ServedVersion } from '../resource.ts';

/**
 * The definitions of all served versions. For each resource, the stored version is first, which makes it the preferred
 * version in discovery.
 */
export const servedResources = (resources: readonly ResourceDefinition[]): readonly ResourceDefinition[] =>
  resources.flatMap((resource) => [resource, ...(resource.versions ?? []).map((version) => viewOf(resource, version))]);

/** Has no admission rules of its own: the registry converts objects to the stored version before admission. */
const viewOf = (storage: ResourceDefinition, version: ServedVersion): ResourceDefinition => {
  let made: OpenApiSchema | undefined;
  const schema = (): OpenApiSchema => {
    made ??= version.schema();
    return made;
  };
  const { kind, plural, singular, shortNames, categories, namespaced, statusSubresource, builtIn } = storage;
  return {
    group: version.group ?? storage.group,
    ...{ kind, plural, singular, shortNames, categories, namespaced, statusSubresource, builtIn },
    version: version.name,
    get schema(): OpenApiSchema {
      return schema();
    },
    columns: version.columns,
    scale: version.scale,
    zero: version.zero,
    createdByUpdate: storage.createdByUpdate,
    selectableFields: version.selectableFields,
    view: {
      version,
      storage,
      get schema(): OpenApiSchema {
        return schema();
      },
    },
  };
};
