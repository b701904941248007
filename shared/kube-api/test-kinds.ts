import type { KubeObject, ObjectMeta } from './object.ts';
import type { ResourceDefinition } from './resource.ts';

/** Small kinds for the tests of the API server: one custom, two built in. */

export interface Gizmo extends KubeObject {
  metadata: ObjectMeta;
  spec?: {
    size?: number;
    version?: string;
    clusterName?: string;
    mode?: string;
    parts?: { name: string; count?: number }[];
  };
  status?: { size?: number; phase?: string; selector?: string; conditions?: { type: string; status: string }[] };
}

const time = { type: 'string', format: 'date-time' } as const;

export const GIZMOS: ResourceDefinition<Gizmo> = {
  group: 'toys.windlass.dev',
  version: 'v1beta2',
  kind: 'Gizmo',
  plural: 'gizmos',
  singular: 'gizmo',
  shortNames: ['gz'],
  categories: ['toys'],
  namespaced: true,
  builtIn: false,
  statusSubresource: true,
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', labelSelectorPath: '.status.selector' },
  schema: {
    type: 'object',
    description: 'Gizmo is a thing with parts.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        description: 'spec is the desired state.',
        required: ['version'],
        properties: {
          size: {
            type: 'integer',
            format: 'int32',
            minimum: 0,
            default: 1,
            description: 'size is how many there are.',
          },
          version: { type: 'string', pattern: '^v\\d+\\.\\d+$', description: 'version is what runs.' },
          clusterName: { type: 'string', minLength: 1, maxLength: 63 },
          mode: { type: 'string', enum: ['Fast', 'Slow'] },
          parts: {
            type: 'array',
            maxItems: 3,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string' }, count: { type: 'integer' } },
            },
          },
        },
      },
      status: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          phase: { type: 'string' },
          selector: { type: 'string' },
          conditions: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: {
              type: 'object',
              required: ['type', 'status'],
              properties: {
                type: { type: 'string' },
                status: { type: 'string' },
                reason: { type: 'string' },
                message: { type: 'string' },
                observedGeneration: { type: 'integer' },
                lastTransitionTime: time,
              },
            },
          },
        },
      },
    },
  },
  columns: [
    { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['toys\\.windlass\\.dev/cluster-name']" },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Version', type: 'string', jsonPath: '.spec.version', priority: 1 },
  ],
  selectableFields: ['.spec.mode'],
  clusterNameOf: ({ spec }) => spec?.clusterName,
  default: (gizmo) => (gizmo.spec?.mode ? gizmo : { ...gizmo, spec: { ...gizmo.spec, mode: 'Slow' } }),
  validate: ({ spec }, old) =>
    old?.spec?.clusterName && spec?.clusterName !== old.spec.clusterName
      ? [{ type: 'FieldValueForbidden', field: 'spec.clusterName', detail: 'field is immutable' }]
      : [],
  warnings: ({ spec }) => (spec?.version === 'v0.1' ? ['spec.version: v0.1 is old'] : []),
};

const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;

const core = { group: '', version: 'v1', shortNames: [], categories: [], builtIn: true } as const;

export const CONFIG_MAPS: ResourceDefinition = {
  ...core,
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
  statusSubresource: false,
  schema: { type: 'object', properties: { data: texts, immutable: { type: 'boolean' } } },
  columns: [
    {
      name: 'Data',
      type: 'integer',
      jsonPath: '.data',
      value: (object) => Object.keys((object as KubeObject & { data?: object }).data ?? {}).length,
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};

export const SECRETS: ResourceDefinition = {
  ...core,
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  namespaced: true,
  statusSubresource: false,
  schema: {
    type: 'object',
    properties: {
      type: { type: 'string', default: 'Opaque' },
      data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
      stringData: texts,
    },
  },
  columns: [{ name: 'Type', type: 'string', jsonPath: '.type' }],
};

export const EVENTS: ResourceDefinition = {
  ...core,
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  statusSubresource: false,
  schema: {
    type: 'object',
    properties: {
      involvedObject: texts,
      reason: { type: 'string' },
      message: { type: 'string' },
      type: { type: 'string' },
      count: { type: 'integer' },
      firstTimestamp: time,
      lastTimestamp: time,
      source: texts,
      reportingComponent: { type: 'string' },
      reportingInstance: { type: 'string' },
    },
  },
  columns: [{ name: 'Reason', type: 'string', jsonPath: '.reason' }],
  selectableFields: [
    '.involvedObject.kind',
    '.involvedObject.name',
    '.involvedObject.namespace',
    '.involvedObject.uid',
    '.involvedObject.apiVersion',
  ],
};

export const NAMESPACES: ResourceDefinition = {
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  shortNames: ['ns'],
  namespaced: false,
  statusSubresource: true,
  schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { finalizers: { type: 'array', items: { type: 'string' } } } },
      status: {
        type: 'object',
        default: { phase: 'Active' },
        properties: { phase: { type: 'string' } },
      },
    },
  },
  columns: [
    { name: 'Status', type: 'string', jsonPath: '.status.phase' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};

export const TEST_KINDS: readonly ResourceDefinition[] = [
  GIZMOS as ResourceDefinition,
  CONFIG_MAPS,
  SECRETS,
  EVENTS,
  NAMESPACES,
];

export const gizmo = (name: string, spec: Gizmo['spec'] = {}, metadata: Partial<ObjectMeta> = {}): Gizmo => ({
  apiVersion: 'toys.windlass.dev/v1beta2',
  kind: 'Gizmo',
  metadata: { name, namespace: 'default', ...metadata },
  spec: { version: 'v1.30', ...spec },
});
