import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import type { FieldManager } from '../apply/tracker.ts';
import type { DecodeOptions, FieldValidation } from '../decode.ts';
import type { BeforeCollecting, Budget, Collected, OwnershipOptions } from '../garbage/contract.ts';
import type { KubeObject, ObjectKey, ResourceId } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { ChangeFeed, ListOptions, ListResult, ReadOptions, Storage } from '../storage/storage.ts';
import type { FirstStatus, Scope, Track } from './admission.ts';
import type { Admission } from './admission-control.ts';
import type { RelatedRules } from './related-rules.ts';

/** A write that has happened. `old` is absent for a creation. */
export interface WriteEvent {
  type: 'created' | 'updated' | 'deleted';
  resource: ResourceDefinition;
  object: KubeObject;
  old?: KubeObject;
}

/** Steps around a write: one of the two is called, or neither if it is unknown whether the write has happened. */
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
   * Called before each write that changes something, after all rules have accepted it; its failure fails the request,
   * and nothing is written. `event.object` is what the storage gets.
   */
  beforeWrite?(event: WriteEvent): Promise<FollowedWrite | undefined>;
  /** Handles the dependents of a removed object; without it owner references are only stored. */
  ownership?: OwnershipOptions;
}

export interface WriteOptions {
  /** Everything but the write itself. */
  dryRun?: boolean;
  /** As in DecodeOptions. */
  fieldValidation?: FieldValidation;
  duplicates?: DecodeOptions['duplicates'];
  keepNulls?: boolean;
  /** `main` unless given. */
  scope?: Scope;
  /** The owner of the changes; managedFields stay unchanged if none is named. */
  fieldManager?: FieldManager;
  /** Determines managedFields instead of `fieldManager`. */
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
   * The stored object as the caller has just read it: the change starts with it, and another read is needed only if
   * another client has written meanwhile.
   */
  from?: KubeObject;
  /** The change is a patch: its refusals have other messages than those of a body, and a different uid is a change. */
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
  /**
   * How much of the content of a namespace is deleted with it, and who is notified; without it, as much as the
   * registry's budget allows.
   */
  emptying?: { budget?: Budget; before?: BeforeCollecting | undefined; touched?: Collected['touched'] };
  preconditions?: { uid?: string | undefined; resourceVersion?: string };
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  /** How long the object may take to end, for kinds that know such a time. */
  graceSeconds?: number;
  dryRun?: boolean;
  /** Refuses the deletion of an object by throwing; not asked for what is deleted because of it. */
  guard?(object: KubeObject): Promise<void>;
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
  /** The definitions of stored objects. */
  readonly resources: readonly ResourceDefinition[];
  find<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<T | undefined>;
  /** As `find`, but absence is a StatusError 404. */
  get<T extends KubeObject>(resource: ResourceDefinition<T>, key: ObjectKey): Promise<T>;
  list(resource: ResourceId, options: ListOptions): Promise<ListResult>;
  /** As in Storage. */
  listVersion(resource: ResourceId, options: { namespace?: string }): Promise<string>;
  changes(resource: ResourceId, options: { namespace?: string; after: string }): ChangeFeed;
  /** Creates the object that `body` describes. */
  create<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    body: unknown,
    options?: WriteOptions,
  ): Promise<Written<T>>;
  /**
   * Replaces an object by the result of `change` on its current state, unless another writer was faster. A
   * resourceVersion in the result must be the current one. An object that is being deleted is removed with its last
   * finalizer.
   */
  update<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    change: (current: T) => unknown,
    options?: UpdateOptions,
  ): Promise<Written<T>>;
  /**
   * Server-side apply: sets the fields of `config`, and removes those that the manager applied before and omits now.
   * Creates a missing object. A field that another manager owns is a StatusError 409.
   */
  apply<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    config: unknown,
    options: ApplyOptions,
  ): Promise<Written<T>>;
  /** Removes an object without finalizers and marks others; `unchanged` if it is already marked. */
  delete<T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Written<T>>;
  /**
   * Continues with namespaces that are being deleted, and handles the dependents that earlier writes have left behind;
   * what exceeds the budget stays. `before` is called before each change.
   */
  collectGarbage(budget: Budget, before?: BeforeCollecting): Promise<Collected>;
}
