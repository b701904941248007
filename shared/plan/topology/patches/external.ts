import * as z from 'zod';
import { tryJson } from '../../../decode/json.ts';
import type { ClassPatch } from '../../../kinds/cluster-class/patch-schema.ts';
import { isObject, type JsonObject } from '../../../kube-api/json.ts';
import { applyJsonPatch } from '../../../kube-api/patch/json-patch.ts';
import { applyMergePatch } from '../../../kube-api/patch/merge-patch.ts';
import { StatusError } from '../../../kube-api/status-error.ts';
import { TopologyError } from '../error.ts';
import type { HookSession } from '../hooks/session.ts';
import { type DefinedVariables, definedBy } from './defined-variables.ts';
import type { PatchItem } from './item.ts';
import type { Variables } from './variable-path.ts';

const response = z.object({
  items: z
    .array(z.object({ uid: z.string(), patchType: z.enum(['JSONPatch', 'JSONMergePatch']), patch: z.string() }))
    .nullish(),
});

type PatchOfItem = NonNullable<z.output<typeof response>['items']>[number];

/** Identifies the items of one request. Extensions return it; upstream's is random. */
const uidOf = (index: number): string => `item-${index}`;

/** Variables of an external patch: those that the patch itself defines, and the built-in ones. */
const variablesFor = (variables: Variables, own: ReadonlySet<string>): JsonObject[] =>
  Object.entries(variables)
    .filter(([name, value]) => value !== undefined && (name === 'builtin' || own.has(name)))
    .map(([name, value]) => ({ name, value }) as JsonObject);

const itemsFor = (items: readonly PatchItem[], own: ReadonlySet<string>): JsonObject[] =>
  items.map(({ object, holder, holderObject, variables }) => ({
    holderReference: {
      apiVersion: holderObject?.apiVersion ?? '',
      kind: holder.kind,
      namespace: holderObject?.metadata.namespace ?? '',
      name: holderObject?.metadata.name ?? '',
      fieldPath: holder.fieldPath,
    },
    object,
    variables: variablesFor(variables, own),
  }));

const bodyFor = (
  { external }: ClassPatch,
  items: readonly JsonObject[],
  all: Variables,
  own: ReadonlySet<string>,
): JsonObject => ({
  ...(external?.settings ? { settings: external.settings } : {}),
  variables: variablesFor(all, own),
  items: [...items],
});

const decoded = ({ patch, patchType }: PatchOfItem): unknown => {
  const text = Buffer.from(patch, 'base64').toString('utf8');
  if (text === '') return patchType === 'JSONPatch' ? [] : {};
  const value = tryJson(text);
  if (patchType === 'JSONPatch' && !Array.isArray(value)) {
    throw new TopologyError('failed to apply patch: error decoding json patch (RFC6902)');
  }
  if (patchType === 'JSONMergePatch' && !isObject(value)) {
    throw new TopologyError('failed to apply patch: error applying json merge patch (RFC7386)');
  }
  return value;
};

const applied = (object: JsonObject, patch: PatchOfItem): JsonObject => {
  const value = decoded(patch);
  if (patch.patchType === 'JSONMergePatch') return applyMergePatch(object, value) as JsonObject;
  try {
    const result = applyJsonPatch(object, value);
    return isObject(result) ? result : object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new TopologyError(`failed to apply patch: error applying json patch (RFC6902): ${error.message}`);
  }
};

/** Calls the extension of a patch. Throws TopologyError if it fails, and AnswerNeeded. */
export const generatedBy = (
  session: HookSession,
  patch: ClassPatch,
  items: readonly PatchItem[],
  all: Variables,
  defined: DefinedVariables,
): PatchOfItem[] => {
  const own = definedBy(defined, patch.name);
  const handler = patch.external?.generatePatchesExtension ?? '';
  const withUids = itemsFor(items, own).map((item, index) => ({ uid: uidOf(index), ...item }));
  const answer = session.handler(
    'GeneratePatches',
    handler,
    `GeneratePatches/${patch.name}`,
    bodyFor(patch, withUids, all, own),
  );
  if ('error' in answer) throw new TopologyError(answer.error);
  const read = response.safeParse(answer.response ?? {});
  if (read.success) return read.data.items ?? [];
  const [issue] = read.error.issues;
  const why = `failed to decode response: ${issue?.path.join('.')}: ${issue?.message}`;
  throw new TopologyError(`failed to call extension handler "${handler}": ${why}`);
};

/**
 * The items with the patches of an extension; `keep` restricts them to what a patch may change (applyPatchToRequest).
 */
export const applyGenerated = (
  items: readonly PatchItem[],
  patches: readonly PatchOfItem[],
  keep: (object: JsonObject, patched: JsonObject) => JsonObject,
): PatchItem[] => {
  const result = [...items];
  for (const patch of patches) {
    const index = items.findIndex((_, position) => uidOf(position) === patch.uid);
    const item = result[index];
    if (!item) throw new TopologyError('unable to find corresponding request item for patch');
    result[index] = { ...item, object: keep(item.object, applied(item.object, patch)) };
  }
  return result;
};

/**
 * Has the extensions of a class validate the patched templates. Throws TopologyError for the first that refuses them.
 */
export const validateByExtensions = (
  session: HookSession,
  patches: readonly ClassPatch[],
  items: readonly PatchItem[],
  all: Variables,
  defined: DefinedVariables,
): void => {
  for (const patch of patches) {
    const handler = patch.external?.validateTopologyExtension;
    if (!handler) continue;
    const own = definedBy(defined, patch.name);
    const body = bodyFor(patch, itemsFor(items, own), all, own);
    const answer = session.handler('ValidateTopology', handler, `ValidateTopology/${patch.name}`, body);
    if ('error' in answer) throw new TopologyError(`validation of patch "${patch.name}" failed: ${answer.error}`);
  }
};
