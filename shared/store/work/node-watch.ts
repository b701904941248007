import type { ClusterRef, MachineRef } from '../../work/payloads.ts';

/**
 * One execution watches for the nodes of all machines of a cluster. A machine is added when only its node is missing,
 * and its own execution then ends. Correctness does not depend on it: an awaited machine without a watch gets an
 * execution again, and two concurrent watches do no harm.
 */
export interface NodeWatches {
  /**
   * Adds the machine to the awaited ones. `watching`: the holder must watch, because there is no watch, because the
   * current one only polls after `waitSeconds`, or because the holder has joined before and the response was lost.
   */
  joinNodeWatch(machine: MachineRef, holder: string, waitSeconds: number): Promise<'watching' | 'joined'>;
  /** The current watch, strongly consistent. */
  nodeWatch(cluster: ClusterRef): Promise<NodeWatch>;
  /**
   * Keeps the watch until the next poll in `waitSeconds`. False if another holder has taken over; the caller must then
   * stop.
   */
  holdNodeWatch(cluster: ClusterRef, holder: string, waitSeconds: number): Promise<boolean>;
  /** Removes machines that are no longer awaited. */
  leaveNodeWatch(cluster: ClusterRef, uids: readonly string[]): Promise<void>;
  /**
   * Ends the watch unless a machine was added since `joins` was read. False if it continues or if another holder has
   * it.
   */
  endNodeWatch(cluster: ClusterRef, holder: string, joins: number): Promise<boolean>;
}

export interface NodeWatch {
  holder: string | undefined;
  /** When the holder took over. */
  since: Date | undefined;
  /** When the lease of the holder runs out. */
  heldUntil: Date | undefined;
  /** Uids of the machines whose nodes are awaited. */
  awaited: ReadonlySet<string>;
  /** How often machines have joined. */
  joins: number;
}
