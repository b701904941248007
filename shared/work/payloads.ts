/**
 * The payloads that the states of the workflows pass on. They are references and verdicts, never objects and never
 * secrets: each step reads the current state itself. Every task is invoked with `{ step, version, cluster | machine |
 * pool, ... }`.
 *
 * An execution outlives a deployment: it keeps its definition, although its functions are already the new ones. So
 * these types may only gain fields. Any other change is a new version, with a conversion from the previous one in
 * versions.ts.
 */

import type { Progress } from '../plan/machines/waiting.ts';

/** The version of everything in this file. A payload without a version is of version 1. */
export const PAYLOAD_VERSION = 9;

/** Identifies one Cluster object; `uid` distinguishes it from an earlier one of the same name. */
export interface ClusterRef {
  namespace: string;
  name: string;
  uid: string;
}

/** Identifies one Machine object and its cluster. */
export interface MachineRef {
  namespace: string;
  name: string;
  uid: string;
  clusterName: string;
  clusterUid: string;
}

/** Identifies one MachinePool object and its cluster. */
export type PoolRef = MachineRef;

/** Input of `converge-cluster`; the execution's name is `<uid>-<wanted>`. */
export interface ConvergeInput {
  cluster: ClusterRef;
  /** The value of the cluster's `wanted` counter for which this pass was started. */
  wanted: number;
  /** Identifies the pass that holds the lease. Equal to the execution's name. */
  holder: string;
  /**
   * The counter's value when the pass began, or, for `requeue`, when it ended. A pass is started for one request, but
   * sees all requests that were made before it began, so the counter is compared with this value and not with `wanted`.
   */
  seen?: number;
  /** For `machines`: whether this pass has checked the health of the control plane since `certificates` or `outside`. */
  checked?: boolean;
}

/** Identifies one Machine object to another of its cluster. */
export type MachineName = Pick<MachineRef, 'name' | 'uid'>;

/** Input of `provision-machine` and `remove-machine`; the execution's name is `<machine uid>-<wanted>`. */
export interface MachineInput {
  machine: MachineRef;
  holder: string;
  /** Machines of the same cluster whose nodes are ready, for `finishWatched`. */
  finished?: readonly MachineName[];
  /** Set for definitions before version 4, which repeat `confirmNode` for their own machine instead of watching. */
  repeats?: true;
}

/** Input of `converge-pool`; the execution's name is `<pool uid>-<wanted>`. */
export interface PoolInput {
  pool: PoolRef;
  holder: string;
  /** RFC 3339: when the execution began. The longer it has waited, the less often it polls. */
  since?: string;
  /** The desired state when this check began: `finishPool` records it as done. */
  digest?: string;
  /** The result of the last check of the infrastructure. */
  outcome?: Progress['progress'];
}

/**
 * The task of a pass. `busy`: another pass holds the lease. `gone`: the Cluster object (or this uid of it) no longer
 * exists. `paused`: only status is reported. `unready`: machines are reconciled even if the infrastructure is not ready.
 */
export type ConvergeMode = 'normal' | 'unready' | 'delete' | 'paused' | 'busy' | 'gone';

export interface BeginResult {
  mode: ConvergeMode;
  /** The counter's value that this pass sees. */
  wanted: number;
  /** The name of the cluster's infrastructure provider; empty if the pass needs none. */
  infrastructure: string;
}

/** The result of a step that creates infrastructure; `ready` when everything exists that the following steps need. */
export interface ReadyResult {
  ready: boolean;
}

/** The result of the last step before `machines`. */
export interface PreparedResult extends ReadyResult {
  /** Machines of an initialized control plane must be created or deleted, so its health must be checked first. */
  changes: boolean;
}

/** The result of a step that deletes infrastructure; `done` when nothing of its kind is left. */
export interface DoneResult {
  done: boolean;
}

/**
 * The end of a pass. `again`: a new pass was started. `waitSeconds` > 0: run again after that time, 0: nothing is due.
 */
export interface FinishResult {
  again: boolean;
  waitSeconds: number;
  /** The counter's value when the pass ended. */
  wanted: number;
}

/** The result of the first step of a machine's workflow. If `proceed` is false, the workflow ends without an error. */
export interface ProceedResult {
  proceed: boolean;
  controlPlane: boolean;
  /** The name of the provider of the machine's instance; empty if there is nothing to do. */
  infrastructure: string;
  /** The name of the cluster's provider, whose endpoint leads to control plane machines. */
  endpoint: string;
}

/** The result of the first step of a pool's workflow. If `proceed` is false, the workflow ends without an error. */
export interface BeginPoolResult {
  proceed: boolean;
  /** The pool is being deleted. */
  removal: boolean;
  /** The name of the provider of the pool's infrastructure. */
  infrastructure: string;
  since: string;
}

/** A digest of the desired state of a pool's objects. */
export interface PoolBootstrapResult {
  digest: string;
}

/** The planned result of a step that waits for something. For `failed`, a condition gives the reason. */
export type ProgressResult = Progress;

/**
 * `watch`: this execution watches for the nodes of the cluster's machines. `joined`: another execution does, and this
 * one ends.
 */
export interface AwaitResult {
  progress: Progress['progress'] | 'watch' | 'joined';
  waitSeconds: number;
}

/** The result of one poll of all awaited nodes. `done`: none is awaited any more. */
export interface WatchResult extends Progress {
  finished: readonly MachineName[];
  anyFinished: boolean;
}

/** The error of a task that has failed permanently, for the step that reports it. `Catch` puts it at `$.failure`. */
export interface Failure {
  Error: string;
  Cause: string;
}
