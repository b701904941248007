import { apiVersionOf } from '../decode.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { ApplyOptions, Written } from '../registry/registry.ts';
import { type Scaled, scaleConfig } from '../scale.ts';
import { badRequest } from '../status-error.ts';
import { mediaTypeOf, readApplyBody } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { respondObject } from './present.ts';
import { readDryRun, readFieldValidation, readFlag } from './query.ts';
import { applierOf } from './writer.ts';

export const APPLY_PATCH = 'application/apply-patch+yaml';

export const isApply = (request: Request): boolean =>
  request.method === 'PATCH' && mediaTypeOf(request) === APPLY_PATCH;

const optionsOf = (call: Call): ApplyOptions => {
  const { query, subresource } = call;
  return {
    manager: applierOf(call),
    force: readFlag(query, 'force'),
    dryRun: readDryRun(query, 'PatchOptions'),
    ...(subresource === 'status' || subresource === 'scale' ? { subresource } : {}),
    mayCreate: () => call.requireVerb('create'),
  };
};

/**
 * Warns of duplicate keys in a config, or refuses them. Unknown fields are always refused, whatever the parameter is.
 */
const dealtWith = ({ query }: Call, findDuplicates: () => string[]): string[] => {
  const fieldValidation = readFieldValidation(query, 'PatchOptions');
  const duplicates = fieldValidation === 'Ignore' ? [] : findDuplicates();
  if (fieldValidation !== 'Strict' || duplicates.length === 0) return duplicates;
  throw badRequest(
    `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`,
  );
};

/** PATCH of the object or of its status with the client's desired fields: server-side apply. */
export const apply = async (call: Call): Promise<Response> => {
  const { registry, resource, request } = call;
  const options = optionsOf(call);
  const { value, findDuplicates } = await readApplyBody(request);
  const duplicates = dealtWith(call, findDuplicates);
  const { object, outcome, warnings } = await registry.apply(resource, keyOf(call), value, options);
  const status = outcome === 'created' ? 201 : 200;
  return respondObject(call, object, { status, warnings: [...duplicates, ...warnings] });
};

/** PATCH of `/scale` with a Scale, of which only the number of replicas can be applied. */
export const applyScale = async (call: Call, resource: Scaled): Promise<Written> => {
  const { registry, request } = call;
  const options = optionsOf(call);
  const key = keyOf(call);
  const { value: body } = await readApplyBody(request);
  if (!isObject(body)) throw badRequest('error decoding YAML: the body of an apply must be an object');
  const { name, namespace } = key;
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const metadata: JsonObject = resource.namespaced ? { name, namespace } : { name };
  return registry.apply(resource, key, { ...head, metadata, ...scaleConfig(resource, name, body) }, options);
};
