import type { CustomResourceNames } from '../custom-resource-definition.ts';
import type { ResourceDefinition } from '../resource.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '../served-definitions.ts';
import { CLEANUP_FINALIZER, type CustomDefinition, type DefinitionStatus } from './definition.ts';
import { DEFINITION_BODY_SCHEMA, DEFINITION_SCHEMA } from './definition-schema.ts';
import { terminating } from './status.ts';
import { validateDefinition } from './validate-definition.ts';

/** Objects are stored at least in the current storage version, whatever a client says. */
const withStoredVersion = ({ spec, status }: CustomDefinition): DefinitionStatus => {
  const storage = spec.versions.find((version) => version.storage)?.name;
  if (storage === undefined || (status?.storedVersions ?? []).length > 0) return { ...status };
  return { ...status, storedVersions: [storage] };
};

/** Upstream sets these when it decodes. A missing required field is empty until it is refused. */
const withDefaults = (object: CustomDefinition, old: CustomDefinition | undefined): CustomDefinition => {
  const {
    group = '',
    scope = '',
    versions = [],
    names = {},
    ...spec
  } = object.spec as Partial<CustomDefinition['spec']>;
  const { kind } = names;
  const completed: Partial<CustomResourceNames> = {
    ...names,
    ...(kind ? { singular: names.singular || kind.toLowerCase(), listKind: names.listKind || `${kind}List` } : {}),
  };
  const { preserveUnknownFields, ...rest } = spec;
  const whole = {
    ...object,
    spec: {
      ...rest,
      group,
      scope,
      versions,
      names: completed,
      conversion: rest.conversion ?? { strategy: 'None' },
      ...(preserveUnknownFields ? { preserveUnknownFields } : {}),
    },
  };
  // A new definition gets its status from the rules about other definitions.
  return old ? { ...whole, status: withStoredVersion(whole) } : whole;
};

const { readOnly: _, ...names } = CUSTOM_RESOURCE_DEFINITIONS;

/** The kind CustomResourceDefinition where definitions can be created; `makeDefinitionRules` says what is served. */
export const CUSTOM_DEFINITIONS = {
  ...names,
  schema: DEFINITION_SCHEMA,
  bodySchema: DEFINITION_BODY_SCHEMA,
  // Everything missing is reported together with all other errors.
  validateBody: ({ spec }: CustomDefinition) =>
    spec ? [] : [{ type: 'FieldValueRequired', field: 'spec', detail: '' }],
  default: withDefaults,
  validate: validateDefinition,
  versionRequired: true,
  whenDeleted: (definition: CustomDefinition, now: Date) => terminating(definition, CLEANUP_FINALIZER, now),
} as ResourceDefinition<CustomDefinition>;
