import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceVersion } from '../../../../shared/kube-api/custom-resource-definition.ts';
import { invalidValue } from '../../../../shared/kube-api/field-error.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type {
  FieldError,
  OpenApiSchema,
  PrinterColumn,
  ResourceDefinition,
  ServedVersion,
} from '../../../../shared/kube-api/resource.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '../../../../shared/kube-api/served-definitions.ts';
import { age } from './columns.ts';

/** CustomResourceDefinitions that clients create, and the resulting kinds. */

export interface Definition extends KubeObject {
  spec: {
    group: string;
    scope: 'Namespaced' | 'Cluster';
    names: { plural: string; kind: string; singular?: string; shortNames?: string[]; categories?: string[] };
    versions: (Pick<CustomResourceVersion, 'name' | 'served' | 'storage'> & Partial<CustomResourceVersion>)[];
  };
  status?: {
    acceptedNames?: object;
    storedVersions?: string[];
    conditions?: { type: string; status: string; [field: string]: unknown }[];
  };
}

type Version = Definition['spec']['versions'][number];

const OPEN: OpenApiSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const text: OpenApiSchema = { type: 'string', minLength: 1 };

const schema: OpenApiSchema = {
  ...OPEN,
  required: ['spec'],
  properties: {
    spec: {
      ...OPEN,
      required: ['group', 'names', 'scope', 'versions'],
      properties: {
        group: text,
        scope: { type: 'string', enum: ['Namespaced', 'Cluster'] },
        names: { ...OPEN, required: ['plural', 'kind'], properties: { plural: text, kind: text } },
        versions: { type: 'array', minItems: 1, items: { ...OPEN, required: ['name'], properties: { name: text } } },
      },
    },
    status: OPEN,
  },
};

const validate = ({ metadata: { name }, spec: { group, names, versions } }: Definition): FieldError[] => {
  const wanted = `${names.plural}.${group}`;
  const stored = versions.filter(({ storage }) => storage).length;
  return [
    ...(name === wanted ? [] : [invalidValue('metadata.name', name, `must be spec.names.plural+"."+spec.group`)]),
    ...(stored === 1
      ? []
      : [invalidValue('spec.versions', stored, 'must have exactly one version marked as storage version')]),
  ];
};

/** As in our own API, except that it is writable here. */
const { readOnly: _readOnly, ...names } = CUSTOM_RESOURCE_DEFINITIONS;

export const customResourceDefinition = {
  ...names,
  schema,
  columns: [{ name: 'Created At', type: 'string', format: 'date-time', jsonPath: '.metadata.creationTimestamp' }],
  validate,
} as ResourceDefinition<Definition>;

/** The server itself knows the fields that all objects have. */
const bodyOf = ({ schema: given }: Version): OpenApiSchema => {
  const whole = given?.openAPIV3Schema as OpenApiSchema | undefined;
  if (!whole) return OPEN;
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...properties } = whole.properties ?? {};
  const required = whole.required?.filter((field) => !['apiVersion', 'kind', 'metadata'].includes(field));
  return { ...whole, type: 'object', properties, ...(required ? { required } : {}) };
};

const columnsOf = ({ additionalPrinterColumns }: Version): readonly PrinterColumn[] =>
  (additionalPrinterColumns as PrinterColumn[] | undefined) ?? [age];

const fieldsOf = ({ selectableFields }: Version): string[] =>
  (selectableFields ?? []).map(({ jsonPath }) => String(jsonPath).replace(/^\./, ''));

const bodyOnly = ({ apiVersion: _version, kind: _kind, metadata: _metadata, ...body }: KubeObject): object => body;

/** The only conversion is a change of the version's name. */
const furtherVersion = (version: Version): ServedVersion => ({
  name: version.name,
  schema: () => bodyOf(version),
  columns: columnsOf(version),
  scale: version.subresources?.scale as ServedVersion['scale'],
  selectableFields: fieldsOf(version),
  toStorage: bodyOnly,
  fromStorage: bodyOnly,
});

/** The kind that a definition describes. */
export const kindOf = ({ spec }: Definition): ResourceDefinition | undefined => {
  const { group, scope, names, versions } = spec;
  const stored = versions.find(({ storage }) => storage);
  if (!stored) return undefined;
  const { plural, kind, singular = kind.toLowerCase(), shortNames = [], categories = [] } = names;
  return {
    ...{ group, version: stored.name, kind, plural, singular, shortNames, categories },
    namespaced: scope === 'Namespaced',
    statusSubresource: stored.subresources?.status !== undefined,
    scale: stored.subresources?.scale as ResourceDefinition['scale'],
    schema: bodyOf(stored),
    columns: columnsOf(stored),
    selectableFields: fieldsOf(stored),
    builtIn: false,
    versions: versions.filter((version) => version !== stored && version.served).map(furtherVersion),
  };
};

/** The status of a definition whose kind is served. */
export const establishedStatus = ({ spec, status }: Definition, time: string): Definition['status'] => {
  const condition = (type: string, reason: string) =>
    status?.conditions?.find((known) => known.type === type) ?? {
      ...{ type, status: 'True', reason, message: '' },
      lastTransitionTime: time,
    };
  return {
    acceptedNames: spec.names,
    storedVersions: spec.versions.filter(({ storage }) => storage).map(({ name }) => name),
    conditions: [condition('NamesAccepted', 'NoConflicts'), condition('Established', 'InitialNamesAccepted')],
  };
};

/** Whether two lists of definitions lead to the same kinds. */
export const isSameKinds = (a: readonly Definition[], b: readonly Definition[]): boolean =>
  isDeepStrictEqual(
    a.map(({ spec }) => spec),
    b.map(({ spec }) => spec),
  );
