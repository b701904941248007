import { invalidValue } from './field-error.ts';
import { isObject, type JsonObject } from './json.ts';
import { readJsonPath } from './json-path.ts';
import type { KubeObject } from './object.ts';
import type { OpenApiSchema, PrinterColumn, ResourceDefinition, ScaleSubresource } from './resource.ts';
import { invalid } from './status-error.ts';

/** autoscaling/v1 Scale, the common view of the replicas of any kind for autoscalers and `kubectl scale`. */

export const SCALE_SCHEMA: OpenApiSchema = {
  type: 'object',
  description: 'Scale represents a scaling request for a resource.',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer', format: 'int32' } } },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer', format: 'int32' }, selector: { type: 'string' } },
    },
  },
};

interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

/** Go omits zero values. */
const replicasColumn = (name: string, read: (scale: Scale) => number | undefined): PrinterColumn => ({
  name,
  type: 'integer',
  statedType: 'integer',
  jsonPath: '',
  description: `${name} number of replicas`,
  value: (object) => read(object) ?? 0,
});

/** The form of a Scale in bodies: it is not stored and has no separate address. */
export const SCALE_KIND: ResourceDefinition = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  singular: 'scale',
  shortNames: [],
  categories: [],
  namespaced: true,
  schema: SCALE_SCHEMA,
  statusSubresource: false,
  columns: [
    { name: 'Name', type: 'string', format: 'name', jsonPath: '.metadata.name' },
    replicasColumn('Desired', ({ spec }) => spec?.replicas),
    replicasColumn('Available', ({ status }) => status?.replicas),
    { name: 'Age', type: 'date', statedType: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  builtIn: true,
};

const countAt = (path: string, object: KubeObject): number => {
  const value = readJsonPath(path, object);
  return typeof value === 'number' ? value : 0;
};

export const scaleOf = (scale: ScaleSubresource, object: KubeObject): JsonObject => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale.labelSelectorPath ? readJsonPath(scale.labelSelectorPath, object) : undefined;
  // Go omits zero values.
  const replicas = countAt(scale.specReplicasPath, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: countAt(scale.statusReplicasPath, object),
      ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
    },
  };
};

/** A kind that has a scale. */
export type Scaled = ResourceDefinition & { scale: ScaleSubresource };

/** The changed part of an object for a Scale `wanted`. Throws a StatusError 422 for an invalid number. */
export const scaleConfig = (resource: Scaled, name: string, wanted: JsonObject): JsonObject => {
  const given = isObject(wanted.spec) ? wanted.spec.replicas : undefined;
  return given === undefined ? {} : setMember({}, pathOf(resource), checkedReplicas(resource, name, given));
};

/** The object with the replicas of `wanted`, a Scale. Throws a StatusError 422 for an invalid number. */
export const withScale = (resource: Scaled, object: KubeObject, wanted: KubeObject): JsonObject => {
  const { spec } = wanted as KubeObject & { spec?: { replicas?: unknown } };
  const replicas = checkedReplicas(resource, object.metadata.name, spec?.replicas ?? 0);
  const scaled = setMember({ ...object }, pathOf(resource), replicas);
  // The client's version is checked as for any update.
  const { resourceVersion = object.metadata.resourceVersion, uid = object.metadata.uid } = wanted.metadata;
  return { ...scaled, metadata: { ...object.metadata, resourceVersion, uid } };
};

const pathOf = ({ scale }: Scaled): string[] => scale.specReplicasPath.split('.').slice(1);

const checkedReplicas = (resource: Scaled, name: string, replicas: unknown): number => {
  if (typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0) return replicas;
  const { specReplicasPath } = resource.scale;
  throw invalid(resource, name, [invalidValue(specReplicasPath, replicas, 'should be a non-negative integer')]);
};

const setMember = (object: JsonObject, [key, ...rest]: string[], value: unknown): JsonObject => {
  if (key === undefined) return object;
  const member = object[key];
  return { ...object, [key]: rest.length === 0 ? value : setMember(isObject(member) ? member : {}, rest, value) };
};
