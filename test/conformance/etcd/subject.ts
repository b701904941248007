import type { CommandResult, PodCommand } from '../../../shared/workload/client.ts';

/** An etcd cluster on which a scenario runs: a real one, or that of the simulated machines. */
export interface EtcdSubject {
  /** Runs a command in the pod of a member, as the exec of a workload cluster does. Throws WorkloadUnreachableError. */
  execute(command: PodCommand): Promise<CommandResult>;
  /** Adds a member that does not vote, whose machine has not started it; returns etcd's error, if any. */
  addLearner(name: string): Promise<string | undefined>;
  /** Starts the member that was added. */
  start(name: string): Promise<void>;
  /** Gives it a vote, once it has caught up. */
  promote(name: string): Promise<void>;
  /** Ends the member's machine, without removing it from etcd. */
  kill(name: string): Promise<void>;
  /** Writes through the member until it has no space left. */
  fill(name: string): Promise<void>;
  /** Until the members have been connected for as long as etcd requires before a change. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of voting members. */
export type StartEtcd = (names: readonly string[]) => Promise<EtcdSubject>;
