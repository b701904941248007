import type { KubeObject } from '../object.ts';
import type { RegistryOptions } from '../registry/registry.ts';
import type { RelatedRules } from '../registry/related-rules.ts';
import type { FieldError, ResourceDefinition } from '../resource.ts';
import { alreadyExists, forbidden, qualified } from '../status-error.ts';
import { partOfServer } from '../storage/fixed-storage.ts';
import type { Catalog } from './catalog.ts';
import type { CustomDefinition } from './definition.ts';
import { CUSTOM_DEFINITIONS } from './kind.ts';
import { usedNames } from './names.ts';
import { statusOf } from './status.ts';

/** The limit for all definitions together: every process that serves custom resources has them in memory. */
const LIMITS = { definitions: 100, bytesOfOne: 1024 * 1024, bytes: 8 * 1024 * 1024 };

export interface DefinitionRules {
  /** The kinds that are part of the server. */
  own: readonly ResourceDefinition[];
  catalog: Catalog;
  clock: RegistryOptions['clock'];
}

const bytesOf = (object: KubeObject): number => Buffer.byteLength(JSON.stringify(object));

const isDefinitions = (resource: ResourceDefinition): boolean => qualified(resource) === qualified(CUSTOM_DEFINITIONS);

/** Groups that upstream builds in have a separate handler in every client. */
const validateGroup = (own: readonly ResourceDefinition[], { spec }: CustomDefinition): FieldError[] =>
  own.some(({ group, builtIn }) => builtIn && group !== '' && group === spec.group)
    ? [{ type: 'FieldValueForbidden', field: 'spec.group', detail: 'the group is built into this server' }]
    : [];

const refuseTooMany = (others: readonly CustomDefinition[], object: KubeObject): void => {
  const { name } = object.metadata;
  const refuse = (why: string): never => {
    throw forbidden(CUSTOM_DEFINITIONS, name, `${why}; delete definitions that are not used`);
  };
  if (others.length >= LIMITS.definitions)
    refuse(`this server serves at most ${LIMITS.definitions} CustomResourceDefinitions`);
  const all = [...others, object].reduce((sum, one) => sum + bytesOf(one), 0);
  if (all > LIMITS.bytes) refuse(`all CustomResourceDefinitions together may have at most ${LIMITS.bytes} bytes`);
};

const validateSize = (object: KubeObject): FieldError[] =>
  bytesOf(object) > LIMITS.bytesOfOne
    ? [{ type: 'FieldValueTooLong', field: 'spec', detail: `may not be more than ${LIMITS.bytesOfOne} bytes` }]
    : [];

/** Fields that the rules of the kind require may be missing in a body. */
const isNamed = (object: KubeObject): boolean => Boolean(object.metadata.name);

/**
 * Rules for writes of CustomResourceDefinitions that depend on others: kinds that are part of the server cannot be
 * replaced, names are unique, and the total size of all definitions is limited. The status is stored with each write.
 */
export const makeDefinitionRules = ({
  own,
  catalog,
  clock,
}: DefinitionRules): Required<Pick<RegistryOptions, 'relatedRules' | 'checkDelete'>> => {
  const fixed = new Set(own.filter(({ builtIn }) => !builtIn).map(qualified));

  const rulesFor = async (object: KubeObject, old: KubeObject | undefined): Promise<RelatedRules<CustomDefinition>> => {
    const { name } = object.metadata;
    if (fixed.has(name)) throw old ? partOfServer(CUSTOM_DEFINITIONS, name) : alreadyExists(CUSTOM_DEFINITIONS, name);
    const { definitions } = await catalog.current();
    const others = definitions.filter(({ metadata }) => metadata.name !== name);
    if (isNamed(object) && !object.metadata.deletionTimestamp) refuseTooMany(others, object);
    return {
      complete: (definition) => ({
        object: { ...definition, status: statusOf(definition, usedNames(own, others, definition), clock.now()) },
        errors: [],
      }),
      validate: (definition) => [...validateGroup(own, definition), ...validateSize(definition)],
    };
  };

  return {
    relatedRules: async (resource, object, old) =>
      isDefinitions(resource) ? ((await rulesFor(object, old)) as RelatedRules) : undefined,
    checkDelete: async (resource, { metadata: { name } }) => {
      if (isDefinitions(resource) && fixed.has(name)) throw partOfServer(CUSTOM_DEFINITIONS, name);
    },
  };
};
