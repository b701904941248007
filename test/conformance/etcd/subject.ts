import type { CommandResult, PodCommand } from '../../../shared/workload/client.ts';

/** An etcd cluster that a scenario is played against: a real one, or that of the simulated machines. */
export interface EtcdSubject {
  /** Runs a command in the pod of a member, as the exec of a workload cluster does. Throws WorkloadUnreachableError. */
  execute(command: PodCommand): Promise<CommandResult>;
  /** Adds a member that does not vote, whose machine has not started it; what etcd says against it. */
  addLearner(name: string): Promise<string | undefined>;
  /** Starts the member that was added. */
  start(name: string): Promise<void>;
  /** Gives it a vote, once it has caught up. */
  promote(name: string): Promise<void>;
  /** Ends the member's machine, without a word to etcd. */
  kill(name: string): Promise<void>;
  /** Writes through the member until it has no space left; where there is something to write. */
  fill?(name: string): Promise<void>;
  /** Until the members have known each other for as long as etcd wants it before a change. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of members that vote. */
export type StartEtcd = (names: readonly string[]) => Promise<EtcdSubject>;
