import type { KubeObject, ObjectKey, Target } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { ReadBudget } from './read-budget.ts';
import type { ListOptions, ReadOptions } from './storage.ts';

/**
 * The controllers' access to objects: the API's own rules (generation, finalizers, deletion, defaults) without HTTP,
 * over the same storage. Reads are strongly consistent, except for `survey`.
 */
export interface ObjectClient {
  /** The object, or undefined if it does not exist. */
  get<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<T | undefined>;
  /** All objects of a kind in a namespace, or in all namespaces, without those that `budget` leaves out. */
  list<T extends KubeObject>(resource: ResourceDefinition<T>, namespace?: string, budget?: ReadBudget): Promise<T[]>;
  /**
   * Like `list`, at half the price, for callers that read again before a write: each object may be slightly stale. All
   * namespaces if none are named.
   */
  survey<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    namespaces?: readonly string[],
    budget?: ReadBudget,
  ): Promise<T[]>;
  /** All objects of a kind that belong to a cluster. */
  listOfCluster<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    namespace: string,
    cluster: string,
    options?: ReadOptions,
  ): Promise<T[]>;
  /** Objects of a kind in a namespace; those whose spec refers to none of `targets` by name may be left out. */
  listNaming<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    namespace: string,
    targets: NonNullable<ListOptions['naming']>,
  ): Promise<T[]>;
  /**
   * Creates the object, defaulted and validated, or returns the existing one. `isExpectedNew` saves the read before the
   * creation, and costs more if the object exists after all.
   */
  ensure<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    options?: { isExpectedNew?: boolean },
  ): Promise<{ object: T; created: boolean }>;
  /**
   * Reads, changes and writes one object, again on conflict. `change` is pure and returns the new object, or undefined
   * for no change; an unchanged object is not written. It may change metadata, spec and status in one call: generation
   * changes with spec. When the last finalizer is removed from an object that is being deleted, the object is removed
   * too. Returns the stored object, or undefined if it does not exist (any more). `from` is the object as just read:
   * the change starts with it, and reads only if another writer was faster. If the change leaves it unchanged, nothing
   * is read at all, so it is for decisions based on that same read. If `target` is an object, one that has
   * replaced it counts as missing.
   */
  mutate<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    target: Target,
    change: (current: T) => T | undefined,
    options?: { from?: T },
  ): Promise<T | undefined>;
  /**
   * Server-side apply by `manager`, which takes over fields from others: sets the fields of `object`, and removes those
   * that the manager applied before and omits now. Creates a missing object. An unchanged object is not written. Throws
   * StatusError, also if `metadata.uid` belongs to an object that no longer exists. `mayChange` throws to refuse the
   * change of an existing object.
   */
  apply<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    manager: string,
    options?: { mayChange?(existing: KubeObject): void },
  ): Promise<{ object: T; outcome: 'created' | 'updated' | 'unchanged' }>;
  /**
   * Requests a deletion: removes an object without finalizers, and sets `deletionTimestamp` on others. Succeeds if it
   * does not exist. If `target` is an object, another one that has replaced it is kept. `graceSeconds` is the same as
   * in DeleteOptions.
   */
  delete<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    target: Target,
    options?: { graceSeconds?: number },
  ): Promise<void>;
}
