import { decodeObject } from '../decode.ts';
import { checkName } from '../identity.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import type { Written } from '../registry/registry.ts';
import { SCALE_KIND, type Scaled, scaleOf, withScale } from '../scale.ts';
import { badRequest, notFound } from '../status-error.ts';
import { PERSISTENT_ATTEMPTS } from '../storage/retry.ts';
import { APPLY_PATCH, applyScale, isApply } from './apply.ts';
import { mediaTypeOf, readBody, readJsonBody, unsupportedMediaType } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { respondObject } from './present.ts';
import { readDryRun, readFieldValidation } from './query.ts';
import type { RespondOptions } from './respond.ts';
import { fieldManagerOf } from './writer.ts';

const scaledResource = ({ resource, name }: Call): Scaled => {
  const { scale } = resource;
  if (!scale) throw notFound(resource, String(name));
  return { ...resource, scale };
};

/** GET, HEAD, PUT and PATCH of `/scale`: the same object in the form of an autoscaling/v1 Scale. */
export const scale = async (call: Call): Promise<Response> => {
  const { request, registry } = call;
  const resource = scaledResource(call);
  const key = keyOf(call);
  const respondScale = (object: KubeObject, options: RespondOptions = {}): Response => {
    const shown = scaleOf(resource.scale, object) as unknown as KubeObject;
    return respondObject({ ...call, resource: SCALE_KIND }, shown, options);
  };
  if (request.method === 'GET' || request.method === 'HEAD') return respondScale(await registry.get(resource, key));
  const { object, warnings } = isApply(request) ? await applyScale(call, resource) : await update(call, resource);
  return respondScale(object, { warnings });
};

const update = async (call: Call, resource: Scaled): Promise<Written> => {
  const { change, patch } = await readChange(call);
  const kind = patch ? 'PatchOptions' : 'UpdateOptions';
  const fieldValidation = readFieldValidation(call.query, kind);
  let told: string[] = [];
  const scaled = (current: KubeObject): JsonObject => {
    const { object, warnings } = decodeObject(SCALE_KIND, change(scaleOf(resource.scale, current)), {
      fieldValidation,
      patch,
    });
    told = warnings;
    checkName(object.metadata, keyOf(call));
    return withScale(resource, current, object);
  };
  const written = await call.registry.update(resource, keyOf(call), scaled, {
    dryRun: readDryRun(call.query, kind),
    attempts: PERSISTENT_ATTEMPTS,
    fieldValidation: 'Ignore',
    fieldManager: { name: fieldManagerOf(call), subresource: 'scale' },
  });
  return { ...written, warnings: [...told, ...written.warnings] };
};

interface Change {
  change(scale: JsonObject): unknown;
  patch: boolean;
}

const readChange = async ({ request }: Call): Promise<Change> => {
  if (request.method === 'PUT') {
    const body = await readBody(request);
    if (!isObject(body)) throw badRequest('the body of the request must be a Scale');
    return { change: () => body, patch: false };
  }
  const type = mediaTypeOf(request);
  if (type === 'application/json-patch+json') {
    const { value: patch } = await readJsonBody(request);
    return { change: (current) => applyJsonPatch(current, patch), patch: true };
  }
  if (type === 'application/merge-patch+json') {
    const { value: patch } = await readJsonBody(request);
    return { change: (current) => applyMergePatch(current, patch), patch: true };
  }
  throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json', APPLY_PATCH]);
};
