import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { PoolForecast } from '../../shared/providers/infrastructure.ts';

/** What a person needs to find an object. */
export interface Named {
  kind: string;
  name: string;
}

export const named = ({ kind, metadata }: KubeObject): Named => ({ kind, name: metadata.name });

/** A machine that would be created. Its name is known if its owner's uid is. */
export interface MadeMachine {
  name?: string;
  failureDomain?: string;
}

/** A machine that would be deleted, with its instance. */
export interface GoneMachine {
  name: string;
  instance?: string;
}

/** What one owner does in one pass; machines created before are available by then. */
export interface Step {
  pass: number;
  owner: Named;
  make: readonly MadeMachine[];
  remove: readonly GoneMachine[];
}

/** All actions of an owner. */
export interface OwnerPlan {
  owner: Named;
  steps: readonly Step[];
  /** Why machines are replaced, with the text of their condition UpToDate. */
  reasons: readonly string[];
  /** How many machines will be replaced, if the steps were not followed to their end. */
  outdated?: number;
  /** What bounds a rolling update, in machines. */
  bounds?: { most: number; fewest: number };
  /** The set that is created for the template. */
  newSet?: string;
  /** What finally blocks it. */
  blocked?: string;
  /** What it waits for before its first step. */
  waits?: string;
}

/** Fields that machines take over without being replaced. */
export interface InPlace {
  owner: Named;
  fields: readonly string[];
  machines: readonly string[];
}

/** The effects on the group of a MachinePool, from its provider. */
export interface PoolPlan extends PoolForecast {
  owner: Named;
}

/** All that a change causes in one cluster. */
export interface ClusterPlan {
  cluster: { namespace: string; name: string };
  owners: readonly OwnerPlan[];
  inPlace: readonly InPlace[];
  pools: readonly PoolPlan[];
  /** Further sentences: what else is deleted, what is added to a network, what cannot be predicted. */
  notes: readonly string[];
  /** False if the plan was abandoned because of its length. */
  complete: boolean;
}

export const isEmpty = ({ owners, inPlace, pools, notes }: ClusterPlan): boolean =>
  owners.length + inPlace.length + pools.length + notes.length === 0;
