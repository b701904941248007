import type { KubeObject } from '../object.ts';

/**
 * Finalizers by which a propagation policy is recorded (metav1.FinalizerOrphanDependents and
 * FinalizerDeleteDependents). Whoever collects garbage removes them once the dependents are dealt with.
 */
export const POLICY_FINALIZERS = { Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const;

const has = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;

/** Whether the object goes as soon as nothing names it any more. */
export const isOrphaning = (object: KubeObject): boolean => has(object, POLICY_FINALIZERS.Orphan);

/** Whether the object goes as soon as its dependents are gone. */
export const isWaitingForDependents = (object: KubeObject): boolean => has(object, POLICY_FINALIZERS.Foreground);

/** Whether others still hold an object that is being deleted. */
export const isHeldByOthers = ({ metadata }: KubeObject): boolean =>
  (metadata.finalizers ?? []).some(
    (name) => name !== POLICY_FINALIZERS.Foreground && name !== POLICY_FINALIZERS.Orphan,
  );

export const without = <T extends KubeObject>(object: T, finalizer: string): T => ({
  ...object,
  metadata: { ...object.metadata, finalizers: object.metadata.finalizers?.filter((name) => name !== finalizer) },
});

/** Whether someone has to deal with the dependents before the object can go. */
export const waitsForGarbage = (object: KubeObject): boolean => isOrphaning(object) || isWaitingForDependents(object);
