import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { badRequest } from '../status-error.ts';
import { APPLY_PATCH } from './apply.ts';
import { mediaTypeOf, readJsonBody, unsupportedMediaType } from './body.ts';
import type { Call } from './call.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';

/**
 * Reads the patch in the body and returns the function that applies it. Throws a StatusError 415 for a kind of patch that
 * the resource does not take: strategic merge is for built-in kinds only, as upstream.
 */
export const patchOf = async (
  { request }: Call,
  resource: ResourceDefinition,
): Promise<(current: KubeObject) => unknown> => {
  const type = mediaTypeOf(request);
  const patches = [JSON_PATCH, MERGE_PATCH, ...(resource.builtIn ? [STRATEGIC_MERGE_PATCH] : [])];
  const accepted = [...patches, APPLY_PATCH];
  if (!patches.includes(type)) throw unsupportedMediaType(accepted);
  const patch = await readJsonBody(request);
  if (type === JSON_PATCH) return (current) => applyJsonPatch({ ...current } as JsonObject, patch);
  if (!isObject(patch)) throw badRequest('error decoding patch: the patch is not an object');
  if (type === MERGE_PATCH) return (current) => applyMergePatch(current, patch);
  const schema = withMetadata(resource.schema);
  return (current) => applyStrategicMergePatch(schema, current, patch);
};
