import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../clock.ts';
import type { ClusterRef, MachineRef } from '../work/payloads.ts';
import type { NodeWatches } from './node-watch.ts';

/** Uids of machines. */
export interface MachinesInWork {
  /** Those whose lease is live. */
  busy: ReadonlySet<string>;
  /** Those of which only the node is awaited, by whoever watches for all of them. */
  awaited: ReadonlySet<string>;
  /** Whether someone does. */
  isWatched: boolean;
  /** When the first of these leases runs out, that of the watch included; undefined where there is none. */
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
  /** Forgets the lease of a machine that is gone, whoever holds it. */
  removeMachine(machine: MachineRef): Promise<void>;
}

/**
 * Who has to work on what. Correctness never rests on a lease (two passes at once do no harm); it saves money. What
 * must never happen is that a wish is lost:
 *
 *   touch    wanted+1 ──► lease live? ──no──► caller starts a pass
 *                                     └─yes─► the pass sees `wanted` when it finishes
 *   begin    takes the lease, remembers wanted as `seen`
 *   finish   done = seen, lease freed, wanted returned: all in one write, so that each touch comes before it (the
 *            caller sees wanted > seen and starts the next pass) or after it (the toucher sees no lease and starts it)
 *
 * Whoever dies between its write and its start leaves an item in the index `due`, from which the sweep starts again.
 */
export interface WorkStore extends MachineLeases, NodeWatches {
  /**
   * Asks for one more pass. `leased`: a live pass will see it, so that no execution has to be started. With `isNews`
   * failed attempts are forgotten, so that the waits between passes begin at a second again: what was changed may be
   * what the passes failed on.
   */
  touch(cluster: ClusterRef, options?: TouchOptions): Promise<{ wanted: number; leased: boolean }>;
  /**
   * As `touch`, but takes a number above all that the cluster has ever used: the time in milliseconds, because touches
   * are rarer than one a millisecond. For a table that was restored to an earlier state, with lower numbers.
   */
  skip(cluster: ClusterRef): Promise<{ wanted: number; leased: boolean }>;
  /**
   * Takes the lease for `ttlSeconds`, also over an expired one; the same holder may begin again. `wanted` is what
   * `finish` has to be given as `seen`; `attempts` counts the passes that failed since one finished.
   */
  begin(cluster: ClusterRef, holder: string, ttlSeconds: number): Promise<BeginWork>;
  /** Holds on for `ttlSeconds` from now. False when another holder took over or the work is removed: stop then. */
  extend(cluster: ClusterRef, holder: string, ttlSeconds: number): Promise<boolean>;
  /**
   * Ends a pass that converged what it saw: `done` becomes `seen`, the lease is freed, failed attempts are forgotten.
   * When `wanted` in the answer is above `seen`, the caller starts the next pass. `dueAt`: the sweep looks at the
   * cluster again then, where nothing else does. Safe to repeat: without the lease nothing is written (`held` false).
   */
  finish(cluster: ClusterRef, holder: string, seen: number, options?: { dueAt?: Date }): Promise<EndWork>;
  /** Ends a pass that did not converge: `done` stays. `failed` counts an attempt; `dueAt`: when the sweep tries again. */
  release(cluster: ClusterRef, holder: string, options?: { failed?: boolean; dueAt?: Date }): Promise<EndWork>;
  /** The work of a cluster as it stands, strongly consistent. */
  get(cluster: ClusterRef): Promise<WorkItem | undefined>;
  /** What the sweep has to touch and start: due by `now`, and no pass holds a live lease. Eventually consistent. */
  due(now: Date): Promise<WorkItem[]>;
  /** Every cluster with wishes that no finished pass has seen, leased or not. Eventually consistent. */
  listUnsettled(): Promise<WorkItem[]>;
  /** Forgets a cluster that is gone. */
  remove(cluster: ClusterRef): Promise<void>;
}

export interface TouchOptions {
  /** Someone changed an object, or AWS reported a change: not merely another try. */
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
