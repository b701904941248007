import { apiVersionOf } from '../decode.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { ApplyOptions, Written } from '../registry.ts';
import type { ScaleSubresource } from '../resource.ts';
import { scaleConfig } from '../scale.ts';
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
  // A config may never hold what the schema does not know, whatever this says; a wrong value is refused all the same.
  readFieldValidation(query, 'PatchOptions');
  return {
    manager: applierOf(call),
    force: readFlag(query, 'force'),
    dryRun: readDryRun(query, 'PatchOptions'),
    ...(subresource === 'status' || subresource === 'scale' ? { subresource } : {}),
    mayCreate: () => call.requireVerb('create'),
  };
};

/** PATCH of the object or of its status with the fields that the client wants to have so: server-side apply. */
export const apply = async (call: Call): Promise<Response> => {
  const { registry, resource, request } = call;
  const options = optionsOf(call);
  const config = await readApplyBody(request);
  const { object, outcome, warnings } = await registry.apply(resource, keyOf(call), config, options);
  return respondObject(call, object, { status: outcome === 'created' ? 201 : 200, warnings });
};

/** PATCH of `/scale` with a Scale, of which only the number of replicas can be applied. */
export const applyScale = async (call: Call, scale: ScaleSubresource): Promise<Written> => {
  const { registry, resource, request } = call;
  const options = optionsOf(call);
  const key = keyOf(call);
  const body = await readApplyBody(request);
  if (!isObject(body)) throw badRequest('error decoding YAML: the body of an apply has to be an object');
  const { name, namespace } = key;
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const metadata: JsonObject = resource.namespaced ? { name, namespace } : { name };
  return registry.apply(resource, key, { ...head, metadata, ...scaleConfig(scale, name, body) }, options);
};
