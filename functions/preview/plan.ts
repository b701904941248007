import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { PoolForecast } from '../../shared/providers/infrastructure.ts';

/** The kind and name by which a user finds an object. */
export interface Named {
  kind: string;
  name: string;
}

export const named = ({ kind, metadata }: KubeObject): Named => ({ kind, name: metadata.name });

/** A machine that would be created. Its name is known if the uid of its owner is known. */
export interface MadeMachine {
  name?: string;
  failureDomain?: string;
}

/** A machine that would be deleted, with its instance. */
export interface GoneMachine {
  name: string;
  instance?: string;
}

/** The actions of one owner in one pass. Machines from earlier passes are available by then. */
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
  /** The reasons why machines are replaced, from their condition UpToDate. */
  reasons: readonly string[];
  /** The number of machines to be replaced, if the steps were not followed to the end. */
  outdated?: number;
  /** The bounds of a rolling update, in machines. */
  bounds?: { most: number; fewest: number };
  /** The set that is created for the new template. */
  newSet?: string;
  /** The reason why it is blocked in the end. */
  blocked?: string;
  /** The reason why it waits before its first step. */
  waits?: string;
}

/** Fields that are updated on machines without replacing them. */
export interface InPlace {
  owner: Named;
  fields: readonly string[];
  machines: readonly string[];
}

/** The effects on the group of a MachinePool, as its provider predicts them. */
export interface PoolPlan extends PoolForecast {
  owner: Named;
}

/** All effects of a change on one cluster. */
export interface ClusterPlan {
  cluster: { namespace: string; name: string };
  owners: readonly OwnerPlan[];
  inPlace: readonly InPlace[];
  pools: readonly PoolPlan[];
  /** Other messages: what else is deleted, what is added to a network, and what cannot be predicted. */
  notes: readonly string[];
  /** False if the plan was abandoned because of its length. */
  complete: boolean;
}

export const isEmpty = ({ owners, inPlace, pools, notes }: ClusterPlan): boolean =>
  owners.length + inPlace.length + pools.length + notes.length === 0;
