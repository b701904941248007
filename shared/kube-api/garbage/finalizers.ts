import type { KubeObject } from '../object.ts';

/**
 * Finalizers that record a propagation policy (metav1.FinalizerOrphanDependents and FinalizerDeleteDependents). The
 * garbage collector removes them once the dependents are handled.
 */
export const POLICY_FINALIZERS = { Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const;

const has = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;

/** Whether the object is removed as soon as it has no finalizers. */
export const isOrphaning = (object: KubeObject): boolean => has(object, POLICY_FINALIZERS.Orphan);

/** Whether the object goes as soon as its dependents are gone. */
export const isWaitingForDependents = (object: KubeObject): boolean => has(object, POLICY_FINALIZERS.Foreground);

/** Whether others still hold an object that is being deleted. */
export const isHeldByOthers = ({ metadata }: KubeObject): boolean =>
  (metadata.finalizers ?? []).some(
    (name) => name !== POLICY_FINALIZERS.Foreground && name !== POLICY_FINALIZERS.Orphan,
  );

/** Whether the dependents must be handled before the object can be removed. */
export const waitsForGarbage = (object: KubeObject): boolean => isOrphaning(object) || isWaitingForDependents(object);
