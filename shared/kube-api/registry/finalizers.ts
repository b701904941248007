import type { KubeObject } from '../object.ts';

/** Adds a finalizer unless the object is being deleted. */
export const withFinalizer =
  (finalizer: string) =>
  <T extends KubeObject>(object: T): T | undefined => {
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp || finalizers.includes(finalizer)) return undefined;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  };

/** Removes a finalizer. */
export const withoutFinalizer =
  (finalizer: string) =>
  <T extends KubeObject>(object: T): T => {
    const finalizers = object.metadata.finalizers?.filter((present) => present !== finalizer);
    return { ...object, metadata: { ...object.metadata, finalizers } };
  };
