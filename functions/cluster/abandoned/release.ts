/**
 * Releases objects in deletion that no pass finds because nothing refers to them. A copy (`kubectl get -o yaml`,
 * renamed and applied) has the finalizer of its original, and would block its own deletion and that of its namespace.
 */

import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { hasMemories } from '../../../shared/plan/memory/memory.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { memoryOf } from '../../../shared/providers/memory.ts';
import { type HeldKind, readReferrers } from './kinds.ts';

/** An object of a kind with finalizers. */
export interface HeldObject {
  readonly kind: HeldKind;
  readonly object: KubeObject;
}

/**
 * Whether the object is in deletion, has the finalizer of its kind, and no record shows that anything was created for
 * it.
 */
export const mayBeAbandoned = ({ kind: { resource, finalizer }, object }: HeldObject): boolean => {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const memory = memoryOf(resource);
  return (
    deletionTimestamp !== undefined &&
    finalizers.includes(finalizer) &&
    !isObjectPaused(object) &&
    !(memory && hasMemories(memory, object))
  );
};

/**
 * Removes the finalizers of those objects in a namespace that may be abandoned and to which nothing refers. Returns the
 * number of released objects. `objects` must include records.
 */
export const releaseAbandoned = async (
  objects: Pick<ObjectClient, 'list' | 'mutate'>,
  namespace: string,
  candidates: readonly HeldObject[],
): Promise<number> => {
  const found = candidates.filter(mayBeAbandoned);
  if (found.length === 0) return 0;
  const referrers = await readReferrers(objects, namespace);
  let released = 0;
  for (const { kind, object } of found.filter((one) => !one.kind.isNeeded(one.object, referrers))) {
    let isReleased = false;
    await objects.mutate(kind.resource, object, (current) => {
      isReleased = mayBeAbandoned({ kind, object: current });
      return isReleased ? withoutFinalizer(kind.finalizer)(current) : undefined;
    });
    if (isReleased) released += 1;
  }
  return released;
};
