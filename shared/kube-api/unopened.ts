/** Secrets that were read without being opened. */
import type { KubeObject } from './object.ts';

/** Where a storage keeps the sealed data of such a Secret: JSON does not have it, copies do. */
export const SEALED = Symbol('sealed');

export type Unopened<T extends KubeObject = KubeObject> = T & { [SEALED]?: Uint8Array | undefined };

/** The next state of an object with the sealed data of the state that was read. */
export const withSealedData = <T extends KubeObject>(next: T, read: T): T => {
  const sealed = (read as Unopened<T>)[SEALED];
  return sealed === undefined ? next : ({ ...next, [SEALED]: sealed } as T);
};
