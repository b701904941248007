import type { KubeObject, ResourceId } from './object.ts';
import type { Former } from './selectors/selected-parts.ts';

/** A change as a watcher sees it; `object` carries the resourceVersion of the change, also for a deletion. */
export interface StorageEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubeObject;
  /**
   * What the object was before, newest first, back to the place where the feed stood: what its client may know of it. A
   * list can show newer objects than its version says, so that is not only the state at that place. Right in what
   * selectors look at, and otherwise perhaps as the object became.
   */
  previous?: readonly KubeObject[];
  /** True where nobody knows whether and how the object was before. */
  uncertain?: boolean;
}

export interface ListOptions {
  /** All namespaces when absent. */
  namespace?: string;
  /** Only these namespaces; only where `namespace` is absent. */
  namespaces?: readonly string[];
  /**
   * True where the list may be some moments old, and each object of it as old as another: it costs half. Such a list
   * comes in one page, and no watch can start from its version, which is "0".
   */
  isEventual?: boolean;
  /** Only objects whose definition's `clusterNameOf` gave this name; needs `namespace`. */
  cluster?: string;
  limit?: number;
  /** The `continue` of the previous page. An unusable one is an ExpiredError. */
  continue?: string;
  /** Nobody watches from this list: its resourceVersion may be left empty where finding it would cost a read. */
  unversioned?: boolean;
}

export interface ListResult {
  items: KubeObject[];
  /** A version at which a watch can start without missing a change that this list does not show. */
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** Follows the changes of one resource type from a version on; keeps what it has to remember to send nothing twice. */
export interface ChangeFeed {
  /** Changes since the last call, oldest first; empty when there are none. Throws ExpiredError when the past is gone. */
  poll(): Promise<StorageEvent[]>;
  /** A version from which a new feed would miss nothing that this one has not yet returned: the bookmark. */
  readonly resourceVersion: string;
}

/**
 * Where objects are kept: DynamoDB for the management API, memory for a simulated workload cluster. Objects are stored
 * as given, less `resourceVersion`, which the storage assigns: one strictly increasing integer sequence per resource
 * type. Every write is conditional on the version that was read. Who wants to change an object changes a copy: those in
 * memory are frozen.
 */
export interface Storage {
  get(resource: ResourceId, namespace: string, name: string): Promise<KubeObject | undefined>;
  list(resource: ResourceId, options: ListOptions): Promise<ListResult>;
  /** Throws AlreadyExistsError. `cluster` is the value of the cluster index, if any. */
  create(resource: ResourceId, object: KubeObject, cluster: string | undefined): Promise<KubeObject>;
  /**
   * Replaces the version in `object.metadata.resourceVersion`. `former` says what selectors could see of that version
   * and do not see any more; nothing where it is absent. Throws ConflictError, NotFoundError.
   */
  update(resource: ResourceId, object: KubeObject, cluster: string | undefined, former?: Former): Promise<KubeObject>;
  /** Removes the version in `object.metadata.resourceVersion`. Throws ConflictError, NotFoundError. */
  remove(resource: ResourceId, object: KubeObject): Promise<KubeObject>;
  /** Throws what a creation would be refused with for what is there already, such as a quota; nothing is kept of it. */
  checkCreate?(resource: ResourceId, object: KubeObject): Promise<void>;
  /** The version of the newest write of the resource type that has begun, strongly consistent: one small read. */
  latestVersion(resource: ResourceId): Promise<string>;
  /** A feed of the changes after `after`, a resourceVersion of a list or an object. */
  changes(resource: ResourceId, options: { namespace?: string; after: string }): ChangeFeed;
}
