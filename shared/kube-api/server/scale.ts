import { isObject } from '../json.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import type { Written } from '../registry.ts';
import type { ScaleSubresource } from '../resource.ts';
import { PERSISTENT_ATTEMPTS } from '../retry.ts';
import { scaleOf, withScale } from '../scale.ts';
import { badRequest, notFound } from '../status-error.ts';
import { APPLY_PATCH, applyScale, isApply } from './apply.ts';
import { mediaTypeOf, readBody, readJsonBody, unsupportedMediaType } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { readDryRun } from './query.ts';
import { respond } from './respond.ts';
import { fieldManagerOf } from './writer.ts';

const scaleDefinition = ({ resource, name }: Call): ScaleSubresource => {
  if (!resource.scale) throw notFound(resource, String(name));
  return resource.scale;
};

/** GET, PUT and PATCH of `/scale`: the same object seen as an autoscaling/v1 Scale. */
export const scale = async (call: Call): Promise<Response> => {
  const { request, registry, resource, accepted } = call;
  const definition = scaleDefinition(call);
  const key = keyOf(call);
  if (request.method === 'GET') {
    return respond(scaleOf(definition, await registry.get(resource, key)), { format: accepted.format });
  }
  const { object, warnings } = isApply(request) ? await applyScale(call, definition) : await update(call, definition);
  return respond(scaleOf(definition, object), { format: accepted.format, warnings });
};

const update = async (call: Call, definition: ScaleSubresource): Promise<Written> => {
  const change = await readChange(call);
  return call.registry.update(
    call.resource,
    keyOf(call),
    (current) => withScale(definition, current, change(scaleOf(definition, current))),
    {
      dryRun: readDryRun(call.query, call.request.method === 'PUT' ? 'UpdateOptions' : 'PatchOptions'),
      attempts: PERSISTENT_ATTEMPTS,
      fieldValidation: 'Ignore',
      fieldManager: { name: fieldManagerOf(call), subresource: 'scale' },
    },
  );
};

type ScaleChange = (scale: Record<string, unknown>) => unknown;

const readChange = async ({ request }: Call): Promise<ScaleChange> => {
  if (request.method === 'PUT') {
    const body = await readBody(request);
    if (!isObject(body)) throw badRequest('the body of the request has to be a Scale');
    return () => body;
  }
  const type = mediaTypeOf(request);
  if (type === 'application/json-patch+json') {
    const { value: patch } = await readJsonBody(request);
    return (current) => applyJsonPatch(current, patch);
  }
  if (type === 'application/merge-patch+json' || type === 'application/strategic-merge-patch+json') {
    const { value: patch } = await readJsonBody(request);
    return (current) => applyMergePatch(current, patch);
  }
  throw unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json', APPLY_PATCH]);
};
