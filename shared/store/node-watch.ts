import type { ClusterRef, MachineRef } from '../work/payloads.ts';

/**
 * One execution watches for the nodes of all machines of a cluster. A machine joins when all that is left is its node, and
 * its own execution ends then. Correctness rests on none of this: a machine that is awaited and that nobody watches for
 * gets an execution again, and two that watch at once do no harm.
 */
export interface NodeWatches {
  /**
   * Puts the machine among the awaited ones. `watching`: the holder has to watch, because nobody else does, or because
   * whoever does looks only after `waitSeconds`.
   */
  joinNodeWatch(machine: MachineRef, holder: string, waitSeconds: number): Promise<'watching' | 'joined'>;
  /** The watch as it stands, strongly consistent. */
  nodeWatch(cluster: ClusterRef): Promise<NodeWatch>;
  /** Holds on until the next look in `waitSeconds`. False when another holder has taken over: stop then. */
  holdNodeWatch(cluster: ClusterRef, holder: string, waitSeconds: number): Promise<boolean>;
  /** Takes machines off that are awaited no more. */
  leaveNodeWatch(cluster: ClusterRef, uids: readonly string[]): Promise<void>;
  /** Ends the watch unless a machine has joined since `joins` was read. False: it goes on, or another holds it. */
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
  /** How often a machine has joined. */
  joins: number;
}
