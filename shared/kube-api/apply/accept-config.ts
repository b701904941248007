import { apiVersionOf } from '../decode.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { ObjectKey } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { jsonTypeOf } from '../schema/undecodable.ts';
import { badRequest } from '../status-error.ts';
import { checkConfig } from './check-config.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `toys.windlass.dev/v1beta2, Kind=Gizmo`, and `/v1, Kind=Secret` in the core group. */
const describeType = (config: JsonObject): string => {
  const apiVersion = textOf(config.apiVersion);
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textOf(config.kind)}`;
};

const checkPlace = ({ namespaced }: ResourceDefinition, { name, namespace }: JsonObject, key: ObjectKey): void => {
  if (name !== undefined && name !== key.name) {
    throw badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${key.name})`);
  }
  if (namespaced && namespace && namespace !== key.namespace) {
    const given = `the namespace of the object (${String(namespace)})`;
    throw badRequest(`${given} does not match the namespace on the request (${key.namespace})`);
  }
};

const summarize = (errors: readonly string[]): string =>
  errors.length === 1 ? String(errors[0]) : ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');

/**
 * Checks the body of an apply: it must have the right kind, name and namespace, match the schema, and contain no
 * managedFields. Throws a StatusError 400.
 */
export const acceptConfig = (resource: ResourceDefinition, key: ObjectKey, body: unknown): JsonObject => {
  // An empty document decodes to an empty map.
  const config = body ?? {};
  if (!isObject(config)) {
    const why = `json: cannot unmarshal ${jsonTypeOf(config)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  const metadata = isObject(config.metadata) ? config.metadata : {};
  if (config.apiVersion !== apiVersionOf(resource) || config.kind !== resource.kind) {
    throw badRequest(`invalid object type: ${describeType(config)}`);
  }
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const errors = checkConfig(withMetadata(resource.schema), config);
  if (errors.length > 0) {
    const place = `${textOf(metadata.namespace)}/${textOf(metadata.name)}; ${describeType(config)}`;
    throw badRequest(`failed to create typed patch object (${place}): ${summarize(errors)}`);
  }
  checkPlace(resource, metadata, key);
  return config;
};
