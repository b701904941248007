import type { ClassPatch } from '../../../kinds/cluster-class/patch-schema.ts';
import { Budget } from '../../../kube-api/go-template/budget.ts';
import { isObject, type JsonObject } from '../../../kube-api/json.ts';
import { TopologyError, wrapping } from '../error.ts';
import type { HookSession } from '../hooks/session.ts';
import { type DefinedVariables, inlineOf } from './defined-variables.ts';
import { applyGenerated, generatedBy, validateByExtensions } from './external.ts';
import type { PatchItem } from './item.ts';
import { matches } from './matches.ts';
import { applyOperations, type Operation } from './operation.ts';
import { isEnabled, type Rendering, valueOfPatch } from './value.ts';
import { mergeVariables, type Variables } from './variable-path.ts';

type Definition = NonNullable<ClassPatch['definitions']>[number];

const operationsOf = ({ jsonPatches }: Definition, rendering: Rendering): Operation[] =>
  jsonPatches.map((patch) => {
    const { op, path } = patch;
    return op === 'remove' ? { op, path } : { op, path, value: valueOfPatch(patch, rendering) };
  });

/** The operations of one patch for one template: a list for each definition that selects it. */
const operationsFor = (patch: ClassPatch, item: PatchItem, { variables: all, together }: Rendering): Operation[][] => {
  const definitions = (patch.definitions ?? []).filter(({ selector }) => matches(selector, item));
  if (definitions.length === 0) return [];
  const rendering = { variables: mergeVariables(all, item.variables), together };
  const kind = String(item.object.kind);
  const enabled = wrapping(`failed to calculate if patch is enabled for "${kind}"`, () =>
    isEnabled(patch.enabledIf, rendering),
  );
  if (!enabled) return [];
  return definitions.map((definition) =>
    wrapping(`failed to generate JSON patches for "${kind}"`, () => operationsOf(definition, rendering)),
  );
};

const LABELS_AND_ANNOTATIONS = ['labels', 'annotations'] as const;

/** Only the spec, the labels and the annotations of a template can be changed. */
const withChanges = (object: JsonObject, patched: JsonObject): JsonObject => {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const changed = isObject(patched.metadata) ? patched.metadata : {};
  const kept = LABELS_AND_ANNOTATIONS.flatMap((key) => (changed[key] === undefined ? [] : [[key, changed[key]]]));
  return {
    ...object,
    ...(patched.spec === undefined ? {} : { spec: patched.spec }),
    metadata: { ...metadata, ...Object.fromEntries(kept) },
  };
};

const patchItem = (item: PatchItem, operations: readonly Operation[][]): PatchItem => ({
  ...item,
  object: operations.reduce(
    (object, list) =>
      list.length === 0
        ? object
        : wrapping('failed to apply patch: error applying json patch (RFC6902)', () =>
            withChanges(object, applyOperations(object, list)),
          ),
    item.object,
  ),
});

/** Reports the errors of all templates together. */
const collect = <T>(parts: readonly (() => T)[]): T[] => {
  const [results, faults]: [T[], string[]] = [[], []];
  for (const part of parts) {
    try {
      results.push(part());
    } catch (error) {
      if (!(error instanceof TopologyError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new TopologyError(faults.length === 1 ? String(faults[0]) : `[${faults.join(', ')}]`);
  return results;
};

const applyExternal = (
  session: HookSession,
  patch: ClassPatch,
  items: readonly PatchItem[],
  variables: Variables,
  defined: DefinedVariables,
): PatchItem[] => {
  if (!patch.external?.generatePatchesExtension) {
    throw new TopologyError(`failed to create patch generator for patch "${patch.name}"`);
  }
  const generated = wrapping(`failed to generate patches for patch "${patch.name}"`, () =>
    generatedBy(session, patch, items, variables, defined),
  );
  return wrapping(`failed to apply patches for patch "${patch.name}"`, () =>
    applyGenerated(items, generated, withChanges),
  );
};

/**
 * The budget of all templates of a plan. Otherwise, a class of a few kilobytes whose many patches each use up the budget
 * of one execution would keep a pass or a request busy for minutes. A patch of a template typically needs 1,000 to
 * 5,000, and one that renders files of 20 KB about `EACH`. `MOST` takes about two seconds.
 */
const [BASE, EACH, MOST] = [100_000_000, 100_000, 1_000_000_000];

const budgetFor = (patches: number, items: number): Budget => new Budget(Math.min(BASE + EACH * patches * items, MOST));

/**
 * The templates with the patches of a class applied in order: each patch gets the result of the previous ones
 * (core/reconcilers/topology/cluster/patches/engine.go). `variables`: the variables of all templates; `defined`: the
 * definers of each variable. Throws TopologyError, and AnswerNeeded if an extension has to be called.
 */
export const applyPatches = (
  patches: readonly ClassPatch[],
  items: readonly PatchItem[],
  variables: Variables,
  session: HookSession,
  defined: DefinedVariables = [],
): readonly PatchItem[] => {
  const inline = { variables: inlineOf(variables, defined), together: budgetFor(patches.length, items.length) };
  const patched = patches.reduce<readonly PatchItem[]>((current, patch) => {
    if (!patch.definitions) return applyExternal(session, patch, current, variables, defined);
    const operations = wrapping(`failed to generate patches for patch "${patch.name}"`, () =>
      collect(
        current.map(
          (item) => () => operationsFor(patch, { ...item, variables: inlineOf(item.variables, defined) }, inline),
        ),
      ),
    );
    return wrapping(`failed to apply patches for patch "${patch.name}"`, () =>
      current.map((item, index) => patchItem(item, operations[index] ?? [])),
    );
  }, items);
  validateByExtensions(session, patches, patched, variables, defined);
  return patched;
};
