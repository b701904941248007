import type { ObjectKey } from '../client.ts';
import { apiVersionOf } from '../decode.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { badRequest } from '../status-error.ts';
import { checkConfig } from './check-config.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `default/one; toys.windlass.dev/v1beta2, Kind=Gizmo`, and `/v1, Kind=Secret` in the core group. */
const describe = (config: JsonObject, metadata: JsonObject): string => {
  const apiVersion = textOf(config.apiVersion);
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `${textOf(metadata.namespace)}/${textOf(metadata.name)}; ${version}, Kind=${textOf(config.kind)}`;
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
 * The body of an apply as the config that it has to be: of the right kind and place, fit for the schema, and silent about
 * managedFields. Throws a StatusError 400.
 */
export const acceptConfig = (resource: ResourceDefinition, key: ObjectKey, body: unknown): JsonObject => {
  if (!isObject(body)) throw badRequest('error decoding YAML: the body of an apply has to be an object');
  const metadata = isObject(body.metadata) ? body.metadata : {};
  const expected = apiVersionOf(resource);
  if (body.apiVersion !== expected) {
    const given = textOf(body.apiVersion);
    const message = `Incorrect version specified in apply patch. Specified patch version: ${given}, expected: ${expected}`;
    throw badRequest(message);
  }
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const untyped = `failed to create typed patch object (${describe(body, metadata)})`;
  if (body.kind !== resource.kind) {
    const [, kind] = describe(body, metadata).split('; ');
    throw badRequest(`${untyped}: no corresponding type for ${kind}`);
  }
  const errors = checkConfig(withMetadata(resource.schema), body);
  if (errors.length > 0) throw badRequest(`${untyped}: ${summarize(errors)}`);
  checkPlace(resource, metadata, key);
  return body;
};
