import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import type { ClusterRef, MachineRef } from '../../work/payloads.ts';
import type { NodeWatches } from './node-watch.ts';

/** The machines that are being worked on, by uid. */
export interface MachinesInWork {
  /** Those whose lease is live. */
  busy: ReadonlySet<string>;
  /** Machines that only wait for their node, for which one execution watches. */
  awaited: ReadonlySet<string>;
  /** Whether an execution watches for nodes. */
  isWatched: boolean;
  /** When the first of these leases expires, including that of the watch; undefined if there is none. */
  leasedUntil: Date | undefined;
}

/** Only one workflow works on a machine at any time. */
export interface MachineLeases {
  /** Takes the machine's lease for `ttlSeconds`, also if it has expired. The same holder may take it again. */
  beginMachine(machine: MachineRef, holder: string, ttlSeconds: number): Promise<{ acquired: boolean }>;
  /** Extends the lease to `ttlSeconds` from now. False if another holder has taken over; the caller must then stop. */
  extendMachine(machine: MachineRef, holder: string, ttlSeconds: number): Promise<boolean>;
  /**
   * Records with the lease that `holder` has removed what an infrastructure object stands for, such as its instance. It
   * counts until the lease is released, even if another holder takes over. False if nobody has the lease any more.
   */
  recordRemoval(machine: MachineRef, holder: string, infrastructureUid: string): Promise<boolean>;
  /** The uid that `holder` has recorded last, and nobody else; undefined if there is none. Strongly consistent. */
  removalBy(machine: MachineRef, holder: string): Promise<string | undefined>;
  /** Releases the lease; false if the holder did not have it. */
  releaseMachine(machine: MachineRef, holder: string): Promise<boolean>;
  /** The machines of a cluster that are being worked on. Strongly consistent, one query. */
  machinesInWork(cluster: ClusterRef): Promise<MachinesInWork>;
  /** Deletes the lease of a machine that is gone, regardless of its holder. */
  removeMachine(machine: MachineRef): Promise<void>;
}

/**
 * The distribution of work. Correctness never depends on a lease (two concurrent passes do no harm); a lease only saves
 * money. A request must never be lost:
 *
 *   touch wanted+1 ──► lease live? ──no──► caller starts a pass
 *                                     └─yes─► the pass sees `wanted` when it finishes
 *   begin takes the lease, stores wanted as `seen`
 *   finish done = seen, lease released, wanted returned: all in one write, so that each touch comes before it (the
 *            caller sees wanted > seen and starts the next pass) or after it (the toucher sees no lease and starts it)
 *
 * After a crash between a write and the start, an item remains in the index `due`, from which the sweep starts it.
 */
export interface WorkStore extends MachineLeases, NodeWatches {
  /**
   * Requests one more pass. `leased`: a running pass will see the request, so no execution has to be started. With
   * `isNews`, failed attempts are reset, so that the waits between passes start again at one second: the change may
   * remove the cause of the failures.
   */
  touch(cluster: ClusterRef, options?: TouchOptions): Promise<{ wanted: number; leased: boolean }>;
  /**
   * Like `touch`, but takes a number above all that the cluster has ever used: the time in milliseconds, because there
   * is less than one touch per millisecond. For a table that was restored to an earlier state, with lower numbers.
   */
  skip(cluster: ClusterRef): Promise<{ wanted: number; leased: boolean }>;
  /**
   * Takes the lease for `ttlSeconds`, also if it has expired. The same holder may take it again. `wanted` must be
   * passed to `finish` as `seen`; `attempts` counts the failed passes since one has finished.
   */
  begin(cluster: ClusterRef, holder: string, ttlSeconds: number): Promise<BeginWork>;
  /**
   * Extends the lease to `ttlSeconds` from now. False if another holder has taken over or the work was removed; the
   * caller must then stop.
   */
  extend(cluster: ClusterRef, holder: string, ttlSeconds: number): Promise<boolean>;
  /**
   * Ends a pass that has converged everything that it saw: `done` becomes `seen`, the lease is released, and failed
   * attempts are reset. If `wanted` in the result is above `seen`, the caller starts the next pass. `dueAt`: when the
   * sweep handles the cluster again, unless something else does so earlier. Safe to repeat: without the lease nothing
   * is written (`held` is false).
   */
  finish(cluster: ClusterRef, holder: string, seen: number, options?: { dueAt?: Date }): Promise<EndWork>;
  /** Ends a pass that did not converge: `done` stays. `failed` counts an attempt; `dueAt`: when the sweep tries again. */
  release(cluster: ClusterRef, holder: string, options?: { failed?: boolean; dueAt?: Date }): Promise<EndWork>;
  /** The current work of a cluster, strongly consistent. */
  get(cluster: ClusterRef): Promise<WorkItem | undefined>;
  /** What the sweep must touch and start: due at `now`, and not held by a live lease. Eventually consistent. */
  due(now: Date): Promise<WorkItem[]>;
  /** Every cluster with requests that no finished pass has seen, leased or not. Eventually consistent. */
  listUnsettled(): Promise<WorkItem[]>;
  /** Removes the work of a cluster that is gone. */
  remove(cluster: ClusterRef): Promise<void>;
}

export interface TouchOptions {
  /** An object has changed, or AWS has reported a change: this is not merely another attempt. */
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
  /** False if the holder did not (or no longer) have the lease, so that nothing was written. */
  held: boolean;
}

export interface WorkItem {
  cluster: ClusterRef;
  wanted: number;
  done: number;
  attempts: number;
  /** The number of touches since a pass last began. */
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
