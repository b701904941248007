import { createHash } from 'node:crypto';
import { customResourceDefinitionOf } from './custom-resource-definition.ts';
import { formatTime, type KubeObject } from './object.ts';
import type { OpenApiSchema, ResourceDefinition } from './resource.ts';
import type { LoadTexts, TextsOf } from './schema/with-descriptions.ts';
import type { FixedObjects } from './storage/fixed-storage.ts';
import { servedResources } from './versions/served.ts';

/** The definitions have always existed; readers need some time. */
const SINCE = formatTime(new Date(0));

const open: OpenApiSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The kind CustomResourceDefinition. Its objects say what is served; that cannot be changed through the API. */
export const CUSTOM_RESOURCE_DEFINITIONS: ResourceDefinition = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  statusSubresource: true,
  builtIn: true,
  readOnly: true,
  schema: {
    type: 'object',
    description: 'CustomResourceDefinition describes a kind that this server offers.',
    properties: {
      spec: { ...open, description: 'Names, scope, versions and schemas of the kind.' },
      status: { ...open, description: 'Whether the kind is served, and under which names.' },
    },
  },
  columns: [
    {
      name: 'Created At',
      type: 'string',
      statedType: 'date',
      description: 'When the definition was created.',
      jsonPath: '.metadata.creationTimestamp',
    },
  ],
};

/** What makes the labels of a definition: its stored version and the names of all versions that are served. */
export type LabelsOf = (stored: ResourceDefinition, versions: readonly string[]) => Record<string, string>;

/**
 * The CustomResourceDefinitions of all kinds that Kubernetes does not build in, as clusterctl and others read them to
 * find out which versions are served. They are made when they are first read, with the descriptions that `loadTexts` has.
 */
export const servedDefinitions = (
  resources: readonly ResourceDefinition[],
  labelsOf: LabelsOf,
  loadTexts?: LoadTexts,
): FixedObjects => {
  let made: Promise<readonly KubeObject[]> | undefined;
  const make = async () => {
    const textsOf = await loadTexts?.();
    return resources
      .filter(({ builtIn }) => !builtIn)
      .map((resource) => definitionOf(resource, labelsOf, textsOf))
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  };
  return {
    resource: CUSTOM_RESOURCE_DEFINITIONS,
    objects: () => {
      made ??= make();
      return made;
    },
  };
};

const definitionOf = (resource: ResourceDefinition, labelsOf: LabelsOf, textsOf?: TextsOf): KubeObject => {
  const [stored = resource, ...others] = servedResources([resource]);
  const versions = [stored, ...others].map(({ version }) => version);
  const definition = customResourceDefinitionOf([stored, ...others], { labels: labelsOf(stored, versions), textsOf });
  const metadata = {
    ...definition.metadata,
    uid: uidOf(definition.metadata.name),
    creationTimestamp: SINCE,
    generation: 1,
  };
  return { ...definition, metadata, status: statusOf(definition.spec.names, stored.version) } as KubeObject;
};

/** The same in every process: a definition is not made by any of them. */
const uidOf = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
};

const statusOf = (acceptedNames: object, storedVersion: string) => ({
  acceptedNames,
  storedVersions: [storedVersion],
  conditions: [
    condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
    condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
  ],
});

const condition = (type: string, reason: string, message: string) => ({
  type,
  status: 'True',
  lastTransitionTime: SINCE,
  reason,
  message,
});
