import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OwnerIndex } from './owner-index.ts';

/** The limits of one round of garbage collection. */
export interface Budget {
  objects: number;
  milliseconds: number;
}

export interface Collected {
  /** Deleted objects as they were before, and dependents that lost owners as they are now. */
  touched: { resource: ResourceDefinition; object: KubeObject }[];
  /** The errors of marks that could not be processed. These marks remain. */
  failures: unknown[];
  /** The number of unprocessed marks. */
  left: number;
}

/**
 * Called before the collector deletes a dependent or removes some of its owners. An error leaves the object and the mark
 * unchanged.
 */
export type BeforeCollecting = (one: Collected['touched'][number]) => Promise<void>;

/** Configures the garbage collection of a registry. */
export interface OwnershipOptions {
  index: OwnerIndex;
  /** How much garbage a write collects before it returns. If absent, the sweep collects everything. */
  atOnce?: Budget;
  /** Called for garbage that could not be collected. Its mark remains, so the sweep retries. */
  onFailure?(error: unknown): void;
}

/** The calls by which writes inform the garbage collector. */
export interface Ownership {
  /** Called before a write that may add owners: the index must list the dependent before the object names the owner. */
  adding(resource: ResourceDefinition, next: KubeObject, old: KubeObject | undefined): Promise<void>;
  /** Called after it, because nothing else detects a new dependent of an owner that no longer exists. */
  added(resource: ResourceDefinition, stored: KubeObject, old: KubeObject | undefined): Promise<void>;
  /** Called before an object is removed, or starts to wait for its dependents. */
  leaving(resource: ResourceDefinition, object: KubeObject): Promise<void>;
  /** Called afterwards. */
  left(resource: ResourceDefinition, object: KubeObject): Promise<void>;
  sweep(budget: Budget, before?: BeforeCollecting): Promise<Collected>;
}
