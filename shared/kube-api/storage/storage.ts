import type { KubeObject, ResourceId } from '../object.ts';
import type { Former, FormerOf } from '../selectors/selected-parts.ts';
import type { ReadBudget } from './read-budget.ts';

/** A change as a watcher sees it; `object` contains the resourceVersion of the change, also for a deletion. */
export interface StorageEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubeObject;
  /**
   * The previous states of the object, newest first, back to the position of the feed: what its client may know about
   * it. A list can show newer objects than its version says, so that is not only the state at that position. Correct in
   * the uid and what selectors use, and otherwise perhaps the later state. States with another uid are those of a
   * removed object with the same name.
   */
  previous?: readonly KubeObject[];
  /** True if it is unknown whether and in which state the object existed before. */
  uncertain?: boolean;
}

export interface ReadOptions {
  /**
   * True if the data of Secrets are not needed: Secrets are returned without them, and no key is needed to open them.
   * An update keeps the data of an object that was read in this way and has none.
   */
  unopened?: boolean;
}

export interface ListOptions extends ReadOptions {
  /** All namespaces if absent. */
  namespace?: string;
  /** Only these namespaces; only if `namespace` is absent. */
  namespaces?: readonly string[];
  /**
   * True if the list may be slightly stale, with objects of different ages: it costs half. Such a list has one page,
   * and no watch can start from its version, which is "0".
   */
  isEventual?: boolean;
  /** Only objects for which the definition's `clusterNameOf` returned this name; requires `namespace`. */
  cluster?: string;
  /** Objects whose spec refers to none of these may be left out; only in lists that are `unversioned`. */
  naming?: readonly { kind: string; name: string }[];
  limit?: number;
  /** The `continue` of the previous page. An unusable one is an ExpiredError. */
  continue?: string;
  /** No client watches from this list: its resourceVersion may be empty if determining it would cost a read. */
  unversioned?: boolean;
  /** Reads are charged to it, and namespaces that it leaves out are not in the list; only if `unversioned`. */
  budget?: ReadBudget | undefined;
}

export interface ListResult {
  items: KubeObject[];
  /** A version at which a watch can start without missing a change that this list does not show. */
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** Follows the changes of one resource type from a version on; keeps the state that prevents duplicate events. */
export interface ChangeFeed {
  /**
   * Changes since the last call, oldest first, or the first of them if all would take too much memory; empty when there
   * are none. Throws ExpiredError when the past is gone.
   */
  poll(): Promise<StorageEvent[]>;
  /** True if the next poll has more to return already, so that there is no reason to wait before it. */
  readonly isBehind: boolean;
  /** A version from which a new feed would miss nothing that this one has not yet returned: the bookmark. */
  readonly resourceVersion: string;
}

/**
 * The store of objects: DynamoDB for the management API, and memory for a simulated workload cluster. Objects are
 * stored as given, without `resourceVersion`, which the storage assigns: one strictly increasing sequence of integers
 * per resource type. Every write is conditional on the version that was read. Callers must change a copy of an object,
 * because objects in memory are frozen.
 */
export interface Storage {
  get(resource: ResourceId, namespace: string, name: string, options?: ReadOptions): Promise<KubeObject | undefined>;
  list(resource: ResourceId, options: ListOptions): Promise<ListResult>;
  /**
   * Throws AlreadyExistsError. `cluster` is the value of the cluster index, if any. `formerOf` returns what selectors
   * could see in an object that had the same name before and do not see in this one; without it, that is unknown.
   */
  create(
    resource: ResourceId,
    object: KubeObject,
    cluster: string | undefined,
    formerOf?: FormerOf,
  ): Promise<KubeObject>;
  /**
   * Replaces the version in `object.metadata.resourceVersion`. `former` contains what selectors could see in that
   * version and no longer see; if it is absent, there is nothing. Throws ConflictError, NotFoundError.
   */
  update(resource: ResourceId, object: KubeObject, cluster: string | undefined, former?: Former): Promise<KubeObject>;
  /** Removes the version in `object.metadata.resourceVersion`. Throws ConflictError, NotFoundError. */
  remove(resource: ResourceId, object: KubeObject): Promise<KubeObject>;
  /** Throws the refusal that a creation would get because of stored objects, such as a quota. Nothing is stored. */
  checkCreate?(resource: ResourceId, object: KubeObject): Promise<void>;
  /**
   * The result of a write of the object, if that is not the object itself: the conversion to the stored version and
   * back may change it.
   */
  rehearse?(resource: ResourceId, object: KubeObject): Promise<KubeObject>;
  /**
   * Whether the stored form of an object differs from the form that a write would store now, so that a write changes
   * something.
   */
  isOutdated?(resource: ResourceId, object: KubeObject): boolean;
  /** The version of the newest write of the resource type that has begun, strongly consistent: one small read. */
  latestVersion(resource: ResourceId): Promise<string>;
  /** The resourceVersion of a list, without the list: a small read or two. */
  listVersion(resource: ResourceId, options: { namespace?: string }): Promise<string>;
  /** A feed of the changes after `after`, a resourceVersion of a list or an object. */
  changes(resource: ResourceId, options: { namespace?: string; after: string }): ChangeFeed;
}
