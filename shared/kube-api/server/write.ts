import { decodeObject, NO_VERSION } from '../decode.ts';
import { checkName, checkNamespace, nothingOfUid } from '../identity.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { UpdateOptions, WriteOptions, Written } from '../registry/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { badRequest, invalid, methodNotSupported, notFound, StatusError } from '../status-error.ts';
import { PERSISTENT_ATTEMPTS } from '../storage/retry.ts';
import { apply, isApply } from './apply.ts';
import { readDocument } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { patchOf } from './patch.ts';
import { respondObject } from './present.ts';
import { type OptionsKind, readDryRun, readFieldValidation } from './query.ts';
import { fieldManagerOf } from './writer.ts';

export const create = async (call: Call): Promise<Response> => {
  const { resource, namespace, registry, request } = call;
  if (resource.namespaced && namespace === '') throw methodNotSupported(resource, 'create');
  const { value, findDuplicates } = await readDocument(request);
  const body = withNamespace(call, value);
  const options = { ...writeOptions(call, 'CreateOptions'), duplicates: findDuplicates };
  const { object, warnings } = await registry.create(resource, body, options);
  return respondObject(call, object, { status: 201, warnings });
};

/** PUT of the object or of its status. */
export const replace = async (call: Call): Promise<Response> => {
  const { resource, request, registry } = call;
  const key = keyOf(call);
  const { value, findDuplicates } = await readDocument(request);
  const write = updateOptions(call);
  const body = withNamespace(call, value);
  const metadata = metadataOf(body);
  checkName({ name: metadata.name }, key);
  const hasVersion = statesVersion(metadata);
  if (!hasVersion && needsVersion(resource)) {
    // A body that cannot be decoded is refused first.
    decodeObject(resource, body, { ...write, duplicates: findDuplicates });
    if (await registry.find(resource, key)) throw versionMissing(call);
    if (!resource.createdByUpdate) throw notFound(resource, key.name);
  }
  const attempts = hasVersion ? 1 : PERSISTENT_ATTEMPTS;
  try {
    const options = { ...write, attempts, duplicates: findDuplicates };
    return respondWritten(call, await registry.update(resource, key, () => body, options));
  } catch (error) {
    const isMissing = error instanceof StatusError && error.reason === 'NotFound';
    if (!isMissing || !resource.createdByUpdate || call.subresource !== undefined) throw error;
    return createByUpdate(call, body, findDuplicates);
  }
};

const statesVersion = ({ resourceVersion }: Partial<KubeObject['metadata']>): boolean =>
  Boolean(resourceVersion) && resourceVersion !== NO_VERSION;

/** Most of upstream's built-in kinds may be replaced whatever their version is; custom resources may not. */
const needsVersion = ({ versionRequired, builtIn }: ResourceDefinition): boolean => versionRequired || !builtIn;

/** PUT of the finalizers in the spec of a namespace. */
export const replaceFinalizers = (call: Call): Promise<Response> =>
  replace({ ...call, resource: { ...call.resource, decide: call.resource.finalize } });

/** Only here does upstream name the resource instead of the kind. */
const versionMissing = ({ resource: { group, plural: kind }, name }: Call): StatusError => {
  const error = { type: 'FieldValueInvalid', field: 'metadata.resourceVersion', badValue: 0 } as const;
  return invalid({ group, kind }, String(name), [{ ...error, detail: 'must be specified for an update' }]);
};

const createByUpdate = async (
  call: Call,
  body: JsonObject,
  duplicates: WriteOptions['duplicates'],
): Promise<Response> => {
  const { resource, registry } = call;
  await call.requireVerb('create');
  const { resourceVersion: _, uid, ...metadata } = metadataOf(body);
  if (uid) throw nothingOfUid(resource, keyOf(call).name, uid);
  const options = { ...writeOptions(call, 'UpdateOptions'), duplicates };
  const { object, warnings } = await registry.create(resource, { ...body, metadata }, options);
  return respondObject(call, object, { status: 201, warnings });
};

/** PATCH of the object or of its status. */
export const patch = async (call: Call): Promise<Response> => {
  if (isApply(call.request)) return apply(call);
  const { resource, registry } = call;
  const key = keyOf(call);
  const { apply: applyPatch, findDuplicates } = await patchOf(call, resource);
  const attempts = PERSISTENT_ATTEMPTS;
  const options = { ...updateOptions(call), attempts, patch: true, duplicates: findDuplicates };
  const change = (current: KubeObject): unknown => {
    const changed = applyPatch(current);
    const hasVersion = !isObject(changed) || statesVersion(metadataOf(changed));
    if (hasVersion || !needsVersion(resource)) return changed;
    // Here too, a body that cannot be decoded is refused first.
    decodeObject(resource, changed, options);
    throw versionMissing(call);
  };
  return respondWritten(call, await registry.update(resource, key, change, options));
};

const writeOptions = (call: Call, kind: OptionsKind): WriteOptions => ({
  dryRun: readDryRun(call.query, kind),
  fieldValidation: readFieldValidation(call.query, kind),
  fieldManager: {
    name: fieldManagerOf(call),
    ...(call.subresource === 'finalize' ? { subresource: call.subresource } : {}),
  },
});

const updateOptions = (call: Call): UpdateOptions => ({
  ...writeOptions(call, call.request.method === 'PUT' ? 'UpdateOptions' : 'PatchOptions'),
  scope: call.subresource === 'status' ? 'status' : 'main',
});

const respondWritten = (call: Call, { object, warnings }: Written): Response =>
  respondObject(call, object, { warnings });

const metadataOf = (body: unknown): Partial<KubeObject['metadata']> =>
  isObject(body) && isObject(body.metadata) ? body.metadata : {};

/** The URL contains the namespace; the body may omit it but not contradict it. */
const withNamespace = ({ resource, namespace }: Call, given: unknown): JsonObject => {
  // Go's decoder reads null as an empty object of the URL's kind.
  const body = given === null && resource.builtIn ? {} : given;
  if (!isObject(body)) throw badRequest('the body of the request must be an object');
  checkNamespace(metadataOf(body).namespace, namespace);
  if (!resource.namespaced || (body.metadata !== undefined && !isObject(body.metadata))) return body;
  return { ...body, metadata: { ...body.metadata, namespace } };
};
