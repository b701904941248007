import type { KubeObject, ObjectKey } from './object.ts';
import type { ResourceDefinition } from './resource.ts';

/**
 * How the controllers reach objects: the API's own rules (generation, finalizers, deletion, defaults) without HTTP,
 * over the same storage. Reads are strongly consistent, but for those of `survey`.
 */
export interface ObjectClient {
  /** The object, or undefined where there is none. */
  get<T extends KubeObject>(resource: ResourceDefinition<T>, key: ObjectKey): Promise<T | undefined>;
  /** All objects of a kind in a namespace, or in all namespaces. */
  list<T extends KubeObject>(resource: ResourceDefinition<T>, namespace?: string): Promise<T[]>;
  /**
   * As `list`, at half the price, for whoever reads again before it writes: each object may be some moments old. Of all
   * namespaces where none are named.
   */
  survey<T extends KubeObject>(resource: ResourceDefinition<T>, namespaces?: readonly string[]): Promise<T[]>;
  /** All objects of a kind that belong to a cluster. */
  listOfCluster<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    namespace: string,
    cluster: string,
  ): Promise<T[]>;
  /**
   * Creates the object, defaulted and validated, or returns the one that is there already. `isExpectedNew` saves the read
   * before the creation, and costs more where there is one after all.
   */
  ensure<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    options?: { isExpectedNew?: boolean },
  ): Promise<{ object: T; created: boolean }>;
  /**
   * Reads, changes and writes one object, again on conflict. `change` is pure and returns the new object, or undefined
   * for "leave it"; nothing is written when nothing changed. It may change metadata, spec and status at once: generation
   * moves with spec. When the last finalizer goes from an object that is being deleted, the object goes too.
   * Returns the stored object, or undefined where there is none (or none any more). `from` is the object as it was just
   * read: the change begins with it, and reads only where another writer was faster. Where the change leaves it as it
   * was, nothing is read at all, so it is for what follows from that same reading.
   */
  mutate<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    change: (current: T) => T | undefined,
    options?: { from?: T },
  ): Promise<T | undefined>;
  /**
   * Server-side apply by `manager`, which takes fields over from others: makes the fields of `object` so, and takes away
   * what the manager applied before and does not any more. Creates the object where there is none. Nothing is written where
   * nothing changes. Throws StatusError, also where `metadata.uid` names an object that is no longer there.
   */
  apply<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    manager: string,
  ): Promise<{ object: T; outcome: 'created' | 'updated' | 'unchanged' }>;
  /**
   * Asks for deletion: removes an object without finalizers, stamps `deletionTimestamp` on others. Absent is success.
   * `graceSeconds` as in DeleteOptions.
   */
  delete<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    options?: { graceSeconds?: number },
  ): Promise<void>;
}
