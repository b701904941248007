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

/** A completed write. `old` is absent for a creation. */
export interface WriteEvent {
  type: 'created' | 'updated' | 'deleted';
  resource: ResourceDefinition;
  object: KubeObject;
  old?: KubeObject;
}

/** Steps after a write: one of the two is called, or neither if it is unknown whether the write has taken effect. */
export interface FollowedWrite {
  /** Called after the write, before the response. If it fails, the request fails. */
  written(event: WriteEvent): Promise<void>;
  /** The storage has refused the write, or it was withdrawn: nothing remains of it. */
  refused(error: unknown): Promise<void>;
}

export interface RegistryOptions {
  resources: readonly ResourceDefinition[];
  /**
   * Kinds that clients have defined, in addition to `resources`. Only called if objects of any kind are concerned: when
   * a namespace is deleted, and for owners and dependents whose kinds are not among `resources`.
   */
  furtherResources?(): Promise<readonly ResourceDefinition[]>;
  storage: Storage;
  clock: Clock;
  random: Random;
  /** The status of new objects before a controller has seen them. */
  firstStatus?: FirstStatus;
  /**
   * Reads the data about other objects that the rules of a write need, for writes of main parts; undefined if none are
   * needed. The object has only been decoded: it may lack fields that its schema requires.
   */
  relatedRules?(
    resource: ResourceDefinition,
    object: KubeObject,
    old: KubeObject | undefined,
  ): Promise<RelatedRules | undefined>;
  /** Called before an object is deleted or marked as deleted. Throws a StatusError to refuse the deletion. */
  checkDelete?(resource: ResourceDefinition, object: KubeObject): Promise<void>;
  /** Called after each write that has changed something, before the response. If it fails, the request fails. */
  onWrite?(event: WriteEvent): Promise<void>;
  /**
   * Called before each write that changes something, after all rules have accepted it. If it fails, the request fails
   * and nothing is written. `event.object` is the object for the storage.
   */
  beforeWrite?(event: WriteEvent): Promise<FollowedWrite | undefined>;
  /** Handles the dependents of a removed object. Without it, owner references are only stored. */
  ownership?: OwnershipOptions;
}

export interface WriteOptions {
  /** Carries out everything except the write itself. */
  dryRun?: boolean;
  /** The same as in DecodeOptions. */
  fieldValidation?: FieldValidation;
  duplicates?: DecodeOptions['duplicates'];
  keepNulls?: boolean;
  /** The default is `main`. */
  scope?: Scope;
  /** The owner of the changes. Without it, managedFields are left unchanged. */
  fieldManager?: FieldManager;
  /** Determines managedFields instead of `fieldManager`. */
  track?: Track;
  /**
   * Called with a decoded object before `relatedRules`, whose refusals may show the content of other objects. Throws to
   * refuse the write.
   */
  mayRelate?(object: KubeObject, old?: KubeObject): Promise<void>;
  /** Called with a validated object before it is stored, also in a dry run. Throws to refuse the write. */
  guard?(object: KubeObject, old?: KubeObject): Promise<void>;
  /** Others who admit the write; they are also called in a dry run, and if nothing changes. */
  admission?: Admission | undefined;
  /**
   * Called in a dry run that would write something, to describe the effects of the write. Its lines become warnings.
   */
  explain?(event: WriteEvent): Promise<readonly string[]>;
}

export interface UpdateOptions extends WriteOptions {
  /** How often the change is applied to a newer version if another writer was faster; the default is 1. */
  attempts?: number;
  /**
   * The stored object, as the caller has just read it. The change starts with it, and another read is only needed if
   * another client has written in the meantime.
   */
  from?: KubeObject;
  /** The change is a patch: its refusals have other messages than those of a body, and another uid is a change. */
  patch?: boolean;
}

export interface ApplyOptions {
  /** The field manager that applies. */
  manager: string;
  /** Takes fields over from other managers instead of causing a conflict. */
  force?: boolean;
  subresource?: 'status' | 'scale';
  dryRun?: boolean;
  /** Called before an object is created. Throws a StatusError to refuse the creation. */
  mayCreate?(): void | Promise<void>;
  /** The same as in WriteOptions. */
  mayRelate?: WriteOptions['mayRelate'];
  /** The same as in WriteOptions. */
  guard?: WriteOptions['guard'];
  /** The same as in WriteOptions. */
  admission?: WriteOptions['admission'];
  /** The same as in WriteOptions. */
  explain?: WriteOptions['explain'];
}

export interface Written<T extends KubeObject = KubeObject> {
  object: T;
  outcome: 'created' | 'updated' | 'unchanged' | 'removed';
  warnings: string[];
}

export interface DeleteOptions {
  /**
   * How much of a namespace's contents is deleted with it, and who is notified; by default, as much as the registry's
   * budget allows.
   */
  emptying?: { budget?: Budget; before?: BeforeCollecting | undefined; touched?: Collected['touched'] };
  preconditions?: { uid?: string | undefined; resourceVersion?: string };
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  /** How long the object may take to end, for kinds with such a period. */
  graceSeconds?: number;
  dryRun?: boolean;
  /** Throws to refuse the deletion of an object. Not called for objects that are deleted because of it. */
  guard?(object: KubeObject): Promise<void>;
  /** The same as in WriteOptions. */
  explain?: WriteOptions['explain'];
  /** The same as in WriteOptions. */
  admission?: WriteOptions['admission'];
}

/**
 * The API's rules over a storage, without HTTP. Refusals are StatusErrors; failures of the storage are passed on. With
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
  /** Like `find`, but throws a StatusError 404 if the object does not exist. */
  get<T extends KubeObject>(resource: ResourceDefinition<T>, key: ObjectKey): Promise<T>;
  list(resource: ResourceId, options: ListOptions): Promise<ListResult>;
  /** The same as in Storage. */
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
   * Continues with namespaces that are being deleted, and handles the dependents that earlier writes have left; what
   * exceeds the budget remains. `before` is called before each change.
   */
  collectGarbage(budget: Budget, before?: BeforeCollecting): Promise<Collected>;
}
