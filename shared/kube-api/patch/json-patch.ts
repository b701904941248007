import jsonPatch from 'fast-json-patch';
import type { JsonObject } from '../json.ts';
import { badRequest, StatusError } from '../status-error.ts';

const MAX_OPERATIONS = 10_000;

/**
 * Applies an RFC 6902 patch to a copy. Throws a StatusError: 400 for what is no patch, 413 for one of too many
 * operations, 422 for one that does not fit the object (also a `test` that fails).
 */
export const applyJsonPatch = (target: JsonObject, patch: unknown): unknown => {
  if (!Array.isArray(patch)) throw badRequest('error decoding patch: a JSON patch is a list of operations');
  if (patch.length > MAX_OPERATIONS) {
    const message = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  try {
    return jsonPatch.applyPatch(structuredClone(target), patch, true, true, true).newDocument;
  } catch (error) {
    // The library says what did not fit; upstream does not, and scripts compare with what it says.
    if (error instanceof jsonPatch.JsonPatchError || error instanceof TypeError) throw misfit();
    throw error;
  }
};

const misfit = (): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
