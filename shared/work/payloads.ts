/**
 * What travels between the states of the workflows. Payloads are references and verdicts, never objects and never
 * secrets: each step reads the current state itself. Every task is invoked with `{ step, version, cluster | machine | pool, ... }`.
 *
 * Executions outlive deployments: one that runs keeps its definition, while its functions are already the new ones. So
 * what is in here may only grow; anything else is a new version, with a step from the old one in versions.ts.
 */

import type { Progress } from '../plan/machines/waiting.ts';

/** The version of everything in this file. A payload without one is of version 1. */
export const PAYLOAD_VERSION = 8;

/** Names one Cluster object; `uid` distinguishes it from an earlier one of the same name. */
export interface ClusterRef {
  namespace: string;
  name: string;
  uid: string;
}

/** Names one Machine object and its cluster. */
export interface MachineRef {
  namespace: string;
  name: string;
  uid: string;
  clusterName: string;
  clusterUid: string;
}

/** Names one MachinePool object and its cluster. */
export type PoolRef = MachineRef;

/** Input of `converge-cluster`; the execution's name is `<uid>-<wanted>`. */
export interface ConvergeInput {
  cluster: ClusterRef;
  /** The value of the cluster's `wanted` counter that this pass was started for. */
  wanted: number;
  /** Names the pass that holds the lease. Equal to the execution's name. */
  holder: string;
  /**
   * The counter's value when the pass began (for `requeue`: when it ended). Passes are started for one request and see
   * all that were made before they began, so the counter is compared with this value, not with `wanted`.
   */
  seen?: number;
  /** For `machines`: whether this pass has checked the health of the control plane since `certificates` or `outside`. */
  checked?: boolean;
}

/** Names one Machine object beside another of its cluster. */
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
  /** RFC 3339: when the execution began; the longer it waits, the less often it polls. */
  since?: string;
  /** The desired state when this check began: `finishPool` records it as done. */
  digest?: string;
  /** The result of the last check of the infrastructure. */
  outcome?: Progress['progress'];
}

/**
 * What a pass has to do. `busy`: another pass holds the lease. `gone`: the Cluster object (or this uid of it) no longer
 * exists. `paused`: only status is reported.
 */
export type ConvergeMode = 'normal' | 'delete' | 'paused' | 'busy' | 'gone';

export interface BeginResult {
  mode: ConvergeMode;
  /** The counter's value: what this pass sees. */
  wanted: number;
  /** The name of the cluster's infrastructure provider; empty if the pass needs none. */
  infrastructure: string;
}

/** A step that makes infrastructure: `ready` when what the following steps need exists. */
export interface ReadyResult {
  ready: boolean;
}

/** The last step before `machines`. */
export interface PreparedResult extends ReadyResult {
  /** Machines of an initialized control plane are to be created or deleted: its health must be checked before. */
  changes: boolean;
}

/** A step that takes infrastructure down: `done` when nothing of its kind is left. */
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

/** First step of a machine workflow: `proceed` false ends it quietly. */
export interface ProceedResult {
  proceed: boolean;
  controlPlane: boolean;
  /** The name of the provider of the machine's instance; empty where nothing is to be done. */
  infrastructure: string;
  /** The same of the cluster, whose endpoint leads to control plane machines. */
  endpoint: string;
}

/** First step of a pool's workflow: `proceed` false ends it quietly. */
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

/** A step that waits for something, as it was planned: `failed` → a condition says why. */
export type ProgressResult = Progress;

/** `watch`: the execution watches for the nodes of the cluster's machines; `joined`: another one does, and it ends. */
export interface AwaitResult {
  progress: Progress['progress'] | 'watch' | 'joined';
  waitSeconds: number;
}

/** A poll of all awaited nodes. `done`: none is awaited any more. */
export interface WatchResult extends Progress {
  finished: readonly MachineName[];
  anyFinished: boolean;
}

/** What a task that failed permanently hands to the step that reports it: `Catch` puts it at `$.failure`. */
export interface Failure {
  Error: string;
  Cause: string;
}
