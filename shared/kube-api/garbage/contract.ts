import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OwnerIndex } from './owner-index.ts';

/** What one round of collecting may cost. */
export interface Budget {
  objects: number;
  milliseconds: number;
}

export interface Collected {
  /** The objects that were changed, as they were before. */
  touched: { resource: ResourceDefinition; object: KubeObject }[];
  /** The errors that were thrown. Their marks stay. */
  failures: unknown[];
  /** How many marks were not processed. */
  left: number;
}

/** Called before an object is removed, marked or changed; what it throws keeps it as it is, with its mark. */
export type BeforeCollecting = (one: Collected['touched'][number]) => Promise<void>;

/** How the garbage of a registry is collected. */
export interface OwnershipOptions {
  index: OwnerIndex;
  /** How much garbage a write collects itself before it is answered; nothing where this is absent. The rest is swept. */
  atOnce?: Budget;
  /** Called for garbage that could not be collected now. It stays marked, so the sweep tries again. */
  onFailure?(error: unknown): void;
}

/** What the writes of a registry report to the garbage collector. */
export interface Ownership {
  /** Before a write that may name new owners: the index must contain them before the object does. */
  adding(resource: ResourceDefinition, next: KubeObject, old: KubeObject | undefined): Promise<void>;
  /** After it: nothing else reports a new dependent of an owner that is gone. */
  added(resource: ResourceDefinition, stored: KubeObject, old: KubeObject | undefined): Promise<void>;
  /** Before an object is removed, or begins to wait for its dependents. */
  leaving(resource: ResourceDefinition, object: KubeObject): Promise<void>;
  /** After that. */
  left(resource: ResourceDefinition, object: KubeObject): Promise<void>;
  sweep(budget: Budget, before?: BeforeCollecting): Promise<Collected>;
}
