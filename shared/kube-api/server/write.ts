import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { UpdateOptions, Written } from '../registry.ts';
import { PERSISTENT_ATTEMPTS } from '../retry.ts';
import { badRequest, invalid, methodNotSupported } from '../status-error.ts';
import { apply, isApply } from './apply.ts';
import { readBody } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { patchOf } from './patch.ts';
import { respondObject } from './present.ts';
import { readDryRun, readFieldValidation } from './query.ts';
import { fieldManagerOf } from './writer.ts';

export const create = async (call: Call): Promise<Response> => {
  const { resource, namespace, query, registry, request } = call;
  if (resource.namespaced && namespace === '') throw methodNotSupported(resource, 'create');
  const body = withNamespace(call, await readBody(request));
  const options = {
    dryRun: readDryRun(query, 'CreateOptions'),
    fieldValidation: readFieldValidation(query, 'CreateOptions'),
    fieldManager: { name: fieldManagerOf(call) },
  };
  const { object, warnings } = await registry.create(resource, body, options);
  return respondObject(call, object, { status: 201, warnings });
};

/** PUT of the object or of its status. */
export const replace = async (call: Call): Promise<Response> => {
  const { resource, request, registry, name } = call;
  const key = keyOf(call);
  const body = withNamespace(call, await readBody(request));
  const metadata = metadataOf(body);
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  // Upstream's built-in kinds may be replaced whatever their version, custom resources may not.
  if (!metadata.resourceVersion && !resource.builtIn) {
    const error = { type: 'FieldValueInvalid', field: 'metadata.resourceVersion', badValue: 0 } as const;
    // Here, and nowhere else, upstream names the resource in place of the kind.
    const { group, plural: kind } = resource;
    throw invalid({ group, kind }, String(name), [{ ...error, detail: 'must be specified for an update' }]);
  }
  const attempts = metadata.resourceVersion ? 1 : PERSISTENT_ATTEMPTS;
  return respondWritten(call, await registry.update(resource, key, () => body, updateOptions(call, attempts)));
};

/** PATCH of the object or of its status. */
export const patch = async (call: Call): Promise<Response> => {
  if (isApply(call.request)) return apply(call);
  const { resource, registry } = call;
  const key = keyOf(call);
  const applyPatch = await patchOf(call, resource);
  const name = key.name;
  const refuseUnknown = (strictError: string): Error =>
    invalid(resource, name, [{ type: 'FieldValueInvalid', field: 'patch', detail: strictError }]);
  const options = { ...updateOptions(call, PERSISTENT_ATTEMPTS), refuseUnknown };
  return respondWritten(call, await registry.update(resource, key, (current) => applyPatch(current), options));
};

const updateOptions = (call: Call, attempts: number): UpdateOptions => {
  const { query, subresource, request } = call;
  const kind = request.method === 'PUT' ? 'UpdateOptions' : 'PatchOptions';
  return {
    dryRun: readDryRun(query, kind),
    fieldValidation: readFieldValidation(query, kind),
    scope: subresource === 'status' ? 'status' : 'main',
    fieldManager: { name: fieldManagerOf(call) },
    attempts,
  };
};

const respondWritten = (call: Call, { object, warnings }: Written): Response =>
  respondObject(call, object, { warnings });

const metadataOf = (body: unknown): Partial<KubeObject['metadata']> =>
  isObject(body) && isObject(body.metadata) ? body.metadata : {};

/** The URL names the namespace; the body may leave it out but not contradict it. */
const withNamespace = ({ resource, namespace }: Call, body: unknown): JsonObject => {
  if (!isObject(body)) throw badRequest('the body of the request has to be an object');
  const given = metadataOf(body).namespace;
  if (given && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (!resource.namespaced || (body.metadata !== undefined && !isObject(body.metadata))) return body;
  return { ...body, metadata: { ...body.metadata, namespace } };
};
