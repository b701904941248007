import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import type { ClusterRef, MachineRef } from '../../work/payloads.ts';
import type { NodeWatches } from './node-watch.ts';

/** Uids of machines. */
export interface MachinesInWork {
  /** Those whose lease is live. */
  busy: ReadonlySet<string>;
  /** Those that wait only for their node, and that the execution for all of them watches for. */
  awaited: ReadonlySet<string>;
  /** Whether there is one. */
  isWatched: boolean;
  /** When the first of these leases expires, including that of the watch; undefined if there is none. */
  leasedUntil: Date | undefined;
}

/** One workflow at a time works on a machine. */
export interface MachineLeases {
  /** Takes the machine's lease for `ttlSeconds`, also over an expired one; the same holder may begin again. */
  beginMachine(machine: MachineRef, holder: string, ttlSeconds: number): Promise<{ acquired: boolean }>;
  /** Holds on for `ttlSeconds` from now. False when another holder took over: stop then. */
  extendMachine(machine: MachineRef, holder: string, ttlSeconds: number): Promise<boolean>;
  /** Frees the lease; false when it was not the holder's. */
  releaseMachine(machine: MachineRef, holder: string): Promise<boolean>;
  /** Which machines of a cluster are worked on. Strongly consistent, one query. */
  machinesInWork(cluster: ClusterRef): Promise<MachinesInWork>;
  /** Deletes the lease of a machine that is gone, regardless of its holder. */
  removeMachine(machine: MachineRef): Promise<void>;
}

/**
 * The distribution of work. Correctness never depends on a lease (two concurrent passes do no harm); it saves money. A
 * request must never be lost:
 *
 *   touch    wanted+1 ──► lease live? ──no──► caller starts a pass
 *                                     └─yes─► the pass sees `wanted` when it finishes
 *   begin    takes the lease, stores wanted as `seen`
 *   finish   done = seen, lease released, wanted returned: all in one write, so that each touch comes before it (the
 *            caller sees wanted > seen and starts the next pass) or after it (the toucher sees no lease and starts it)
 *
 * After a crash between a write and its start, an item remains in the index `due`, from which the sweep starts it.
 */
export interface WorkStore extends MachineLeases, NodeWatches {
  /**
   * Requests one more pass. `leased`: a running pass will see it, so no execution has to be started. With `isNews`
   * failed attempts are reset, so that the waits between passes restart at a second: the change may remove the cause of
   * the failures.
   */
  touch(cluster: ClusterRef, options?: TouchOptions): Promise<{ wanted: number; leased: boolean }>;
  /**
   * As `touch`, but takes a number above all that the cluster has ever used: the time in milliseconds, because touches
   * are rarer than one a millisecond. For a table that was restored to an earlier state, with lower numbers.
   */
  skip(cluster: ClusterRef): Promise<{ wanted: number; leased: boolean }>;
  /**
   * Takes the lease for `ttlSeconds`, also over an expired one; the same holder may begin again. `wanted` must be
   * passed to `finish` as `seen`; `attempts` counts the passes that failed since one finished.
   */
  begin(cluster: ClusterRef, holder: string, ttlSeconds: number): Promise<BeginWork>;
  /** Holds on for `ttlSeconds` from now. False when another holder took over or the work is removed: stop then. */
  extend(cluster: ClusterRef, holder: string, ttlSeconds: number): Promise<boolean>;
  /**
   * Ends a pass that converged what it saw: `done` becomes `seen`, the lease is released, failed attempts are reset.
   * When `wanted` in the answer is above `seen`, the caller starts the next pass. `dueAt`: the sweep handles the
   * cluster again then, unless something else does. Safe to repeat: without the lease nothing is written (`held`
   * false).
   */
  finish(cluster: ClusterRef, holder: string, seen: number, options?: { dueAt?: Date }): Promise<EndWork>;
  /** Ends a pass that did not converge: `done` stays. `failed` counts an attempt; `dueAt`: when the sweep tries again. */
  release(cluster: ClusterRef, holder: string, options?: { failed?: boolean; dueAt?: Date }): Promise<EndWork>;
  /** The work of a cluster as it stands, strongly consistent. */
  get(cluster: ClusterRef): Promise<WorkItem | undefined>;
  /** What the sweep must touch and start: due by `now`, and not held by a live lease. Eventually consistent. */
  due(now: Date): Promise<WorkItem[]>;
  /** Every cluster with requests that no finished pass has seen, leased or not. Eventually consistent. */
  listUnsettled(): Promise<WorkItem[]>;
  /** Forgets a cluster that is gone. */
  remove(cluster: ClusterRef): Promise<void>;
}

export interface TouchOptions {
  /** An object was changed, or AWS reported a change: not merely another attempt. */
  isNews?: boolean;
}

export interface BeginWork {
  acquired: boolean;
  wanted: number;
  attempts: number;
}

export interface EndWork {
  wanted: number;
  attempts: number;
  /** False when the lease was not (or no longer) the holder's, and nothing was written. */
  held: boolean;
}

export interface WorkItem {
  cluster: ClusterRef;
  wanted: number;
  done: number;
  attempts: number;
  /** Touches since a pass last began. */
  unbegun: number;
  holder?: string;
  leaseUntil?: Date;
  dueAt?: Date;
}

export interface WorkDependencies {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
}
