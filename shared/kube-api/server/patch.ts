import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { jsonTypeOf } from '../schema/undecodable.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { APPLY_PATCH } from './apply.ts';
import { mediaTypeOf, readJsonBody, unsupportedMediaType } from './body.ts';
import type { Call } from './call.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';

/** The result of a patch, and the duplicate keys in its text. */
export interface Patch {
  apply(current: KubeObject): unknown;
  findDuplicates(): string[];
}

/**
 * Reads the patch in the body. Throws a StatusError 415 for a type of patch that the resource does not accept: as in
 * upstream, strategic merge is for built-in kinds only.
 */
export const patchOf = async ({ request }: Call, resource: ResourceDefinition): Promise<Patch> => {
  const type = mediaTypeOf(request);
  const patches = [JSON_PATCH, MERGE_PATCH, ...(resource.builtIn ? [STRATEGIC_MERGE_PATCH] : [])];
  const accepted = [...patches, APPLY_PATCH];
  if (!patches.includes(type)) {
    if (!resource.builtIn) throw unsupportedMediaType(accepted);
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  }
  const { value: patch, findDuplicates } = await readJsonBody(request);
  if (type === JSON_PATCH) {
    const apply: Patch['apply'] = (current) => applyJsonPatch({ ...current } as JsonObject, patch);
    return { apply, findDuplicates: () => findDuplicates().map((found) => `json patch ${found}`) };
  }
  if (type === STRATEGIC_MERGE_PATCH && patch === null) return { apply: (current) => current, findDuplicates };
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(patch)) {
    const prefix = type === MERGE_PATCH ? 'error decoding patch: ' : '';
    throw badRequest(
      `${prefix}json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`,
    );
  }
  if (type === MERGE_PATCH) return { apply: (current) => applyMergePatch(current, patch), findDuplicates };
  const schema = withMetadata(resource.schema);
  return { apply: (current) => applyStrategicMergePatch(schema, current, patch), findDuplicates };
};
