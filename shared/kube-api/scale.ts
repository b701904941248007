import { invalidValue } from './field-error.ts';
import { isObject, type JsonObject } from './json.ts';
import { readJsonPath } from './json-path.ts';
import type { KubeObject } from './object.ts';
import type { OpenApiSchema, ScaleSubresource } from './resource.ts';
import { invalid } from './status-error.ts';

/** autoscaling/v1 Scale, the one view of "how many" that autoscalers and `kubectl scale` have of any kind. */

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

const countAt = (path: string, object: KubeObject): number => {
  const value = readJsonPath(path, object);
  return typeof value === 'number' ? value : 0;
};

export const scaleOf = (scale: ScaleSubresource, object: KubeObject): JsonObject => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale.labelSelectorPath ? readJsonPath(scale.labelSelectorPath, object) : undefined;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: countAt(scale.specReplicasPath, object) },
    status: {
      replicas: countAt(scale.statusReplicasPath, object),
      ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
    },
  };
};

/** The part of an object that `wanted`, a Scale, speaks of. Throws a StatusError 422 for a number that is none. */
export const scaleConfig = (scale: ScaleSubresource, name: string, wanted: JsonObject): JsonObject => {
  const path = scale.specReplicasPath.split('.').slice(1);
  const given = isObject(wanted.spec) ? wanted.spec.replicas : undefined;
  return given === undefined ? {} : setMember({}, path, checkedReplicas(name, given));
};

/** The object with the replicas of `wanted`, a Scale. Throws a StatusError 422 for a number that is none. */
export const withScale = (scale: ScaleSubresource, object: KubeObject, wanted: unknown): JsonObject => {
  const spec = isObject(wanted) && isObject(wanted.spec) ? wanted.spec : {};
  const metadata = isObject(wanted) && isObject(wanted.metadata) ? wanted.metadata : {};
  const replicas = checkedReplicas(object.metadata.name, spec.replicas ?? 0);
  const scaled = setMember({ ...object }, scale.specReplicasPath.split('.').slice(1), replicas);
  // The version that the client saw is checked like that of any update.
  const { resourceVersion = object.metadata.resourceVersion } = metadata;
  return { ...scaled, metadata: { ...object.metadata, resourceVersion } };
};

const checkedReplicas = (name: string, replicas: unknown): number => {
  if (typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0) return replicas;
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
    invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ]);
};

const setMember = (object: JsonObject, [key, ...rest]: string[], value: unknown): JsonObject => {
  if (key === undefined) return object;
  const member = object[key];
  return { ...object, [key]: rest.length === 0 ? value : setMember(isObject(member) ? member : {}, rest, value) };
};
