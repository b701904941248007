import type { KubeObject } from '../object.ts';

/**
 * Finalizers that record a propagation policy (metav1.FinalizerOrphanDependents and FinalizerDeleteDependents). The
 * garbage collector removes them once the dependents are handled.
 */
export const POLICY_FINALIZERS = { Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const;

const has = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;

/** Reports whether the object is being deleted and waits until its dependents no longer refer to it. */
export const isOrphaning = (object: KubeObject): boolean => has(object, POLICY_FINALIZERS.Orphan);

/** Reports whether the object is being deleted and waits until its dependents are removed. */
export const isWaitingForDependents = (object: KubeObject): boolean => has(object, POLICY_FINALIZERS.Foreground);

/** Reports whether the object has finalizers other than those of the garbage collector. */
export const isHeldByOthers = ({ metadata }: KubeObject): boolean =>
  (metadata.finalizers ?? []).some(
    (name) => name !== POLICY_FINALIZERS.Foreground && name !== POLICY_FINALIZERS.Orphan,
  );

/** Reports whether the dependents must be handled before the object can be removed. */
export const waitsForGarbage = (object: KubeObject): boolean => isOrphaning(object) || isWaitingForDependents(object);
