import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { FirstStatus, Scope, Track } from './admission.ts';
import type { Admission } from './admission-control.ts';
import type { FieldManager } from './apply/tracker.ts';
import type { DecodeOptions, FieldValidation } from './decode.ts';
import type { BeforeCollecting, Budget, Collected, OwnershipOptions } from './garbage/contract.ts';
import type { KubeObject, ObjectKey, ResourceId } from './object.ts';
import type { RelatedRules } from './related-rules.ts';
import type { ResourceDefinition } from './resource.ts';
import type { ChangeFeed, ListOptions, ListResult, Storage } from './storage.ts';

/** A write that has happened. `old` is absent for a creation. */
export interface WriteEvent {
  type: 'created' | 'updated' | 'deleted';
  resource: ResourceDefinition;
  object: KubeObject;
  old?: KubeObject;
}

/** What goes with a write: one of the two is called, or neither where nobody knows whether it has happened. */
export interface FollowedWrite {
  /** After the write, before it is answered; its failure fails the request. */
  written(event: WriteEvent): Promise<void>;
  /** The storage has refused the write: nothing was written. */
  refused(error: unknown): Promise<void>;
}

export interface RegistryOptions {
  resources: readonly ResourceDefinition[];
  /**
   * Kinds besides `resources` that clients have defined. Asked only where objects of any kind are concerned: a namespace
   * that goes, owners and dependents of kinds that are not among `resources`.
   */
  furtherResources?(): Promise<readonly ResourceDefinition[]>;
  storage: Storage;
  clock: Clock;
  random: Random;
  /** What new objects say of themselves before a controller has seen them. */
  firstStatus?: FirstStatus;
  /**
   * Reads what the rules of a write need to know of other objects, for writes of main parts; undefined where nothing does.
   * The object has been decoded and nothing else: it may lack what its schema requires.
   */
  relatedRules?(
    resource: ResourceDefinition,
    object: KubeObject,
    old: KubeObject | undefined,
  ): Promise<RelatedRules | undefined>;
  /** Called before an object is deleted, or marked as deleted; refuses it by throwing a StatusError. */
  checkDelete?(resource: ResourceDefinition, object: KubeObject): Promise<void>;
  /** Called after each write that changed something, before the write is answered; its failure fails the request. */
  onWrite?(event: WriteEvent): Promise<void>;
  /**
   * Called before each write that changes something, when all rules have let it pass; its failure fails the request, and
   * nothing is written. `event.object` is what the storage is given.
   */
  beforeWrite?(event: WriteEvent): Promise<FollowedWrite | undefined>;
  /** Deals with the dependents of what goes; without it owner references are only kept. */
  ownership?: OwnershipOptions;
}

export interface WriteOptions {
  /** Everything but the write itself. */
  dryRun?: boolean;
  /** As in DecodeOptions. */
  fieldValidation?: FieldValidation;
  duplicates?: DecodeOptions['duplicates'];
  /** `main` unless given. */
  scope?: Scope;
  /** Who owns what the write changes; managedFields stay as they are where nobody is named. */
  fieldManager?: FieldManager;
  /** Decides on managedFields in place of `fieldManager`. */
  track?: Track;
  /** Sees what passed validation before it is stored, also in a dry run; what it throws refuses the write. */
  guard?(object: KubeObject, old?: KubeObject): Promise<void>;
  /** Who else is asked about the write, also in a dry run and where nothing changes. */
  admission?: Admission | undefined;
  /** Asked in a dry run that would write something: what the write would do. Its lines become warnings. */
  explain?(event: WriteEvent): Promise<readonly string[]>;
}

export interface UpdateOptions extends WriteOptions {
  /** How often the change is applied to a newer version when another writer was faster; 1 unless given. */
  attempts?: number;
  /**
   * The stored object as the caller has just read it: the change begins with it, and another read is needed only where
   * someone else has written meanwhile.
   */
  from?: KubeObject;
  /** The change is a patch: what it makes is refused in other words than a body, and what it says of the uid is a change. */
  patch?: boolean;
}

export interface ApplyOptions {
  /** The field manager that applies. */
  manager: string;
  /** Takes fields over from other managers instead of a conflict. */
  force?: boolean;
  subresource?: 'status' | 'scale';
  dryRun?: boolean;
  /** Called before an object is created; may refuse it by throwing a StatusError. */
  mayCreate?(): void | Promise<void>;
  /** As in WriteOptions. */
  guard?: WriteOptions['guard'];
  /** As in WriteOptions. */
  admission?: WriteOptions['admission'];
  /** As in WriteOptions. */
  explain?: WriteOptions['explain'];
}

export interface Written<T extends KubeObject = KubeObject> {
  object: T;
  outcome: 'created' | 'updated' | 'unchanged' | 'removed';
  warnings: string[];
}

export interface DeleteOptions {
  /** How far the content of a namespace is deleted with it, and who is told; without it, as far as the registry's budget goes. */
  emptying?: { budget?: Budget; before?: BeforeCollecting | undefined; touched?: Collected['touched'] };
  preconditions?: { uid?: string; resourceVersion?: string };
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  /** How long the object may take to end, for kinds that know such a time. */
  graceSeconds?: number;
  dryRun?: boolean;
  /** As in WriteOptions. */
  explain?: WriteOptions['explain'];
  /** As in WriteOptions. */
  admission?: WriteOptions['admission'];
}

/**
 * The API's rules over a storage, without HTTP. Refusals are StatusErrors; failures of the storage pass through. Given
 * the definition of a further version (`servedResources`), every function takes and returns objects of that version.
 */
export interface Registry {
  /** The definitions of what is stored. */
  readonly resources: readonly ResourceDefinition[];
  find<T extends KubeObject>(resource: ResourceDefinition<T>, key: ObjectKey): Promise<T | undefined>;
  /** As `find`, but absence is a StatusError 404. */
  get<T extends KubeObject>(resource: ResourceDefinition<T>, key: ObjectKey): Promise<T>;
  list(resource: ResourceId, options: ListOptions): Promise<ListResult>;
  changes(resource: ResourceId, options: { namespace?: string; after: string }): ChangeFeed;
  /** Creates the object that `body` describes. */
  create<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    body: unknown,
    options?: WriteOptions,
  ): Promise<Written<T>>;
  /**
   * Replaces an object by what `change` makes of its current state, as long as nobody else was faster. A resourceVersion
   * in the result must be the current one. An object that is being deleted goes when its last finalizer does.
   */
  update<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    change: (current: T) => unknown,
    options?: UpdateOptions,
  ): Promise<Written<T>>;
  /**
   * Server-side apply: makes the fields of `config` so, and takes away those that the manager applied before and does not
   * any more. Creates the object where there is none. A field that another manager owns is a StatusError 409.
   */
  apply<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    config: unknown,
    options: ApplyOptions,
  ): Promise<Written<T>>;
  /** Removes an object without finalizers and marks others; `unchanged` where it is marked already. */
  delete<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Written<T>>;
  /**
   * Goes on with namespaces that are being deleted, and deals with the dependents that earlier writes have left behind; what does not fit into the budget stays. `before` is
   * called before each change.
   */
  collectGarbage(budget: Budget, before?: BeforeCollecting): Promise<Collected>;
}
