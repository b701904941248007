import type { CommandResult, PodCommand } from '../../../shared/workload/client.ts';

/** The etcd cluster on which a scenario runs: a real one, or that of the simulated machines. */
export interface EtcdSubject {
  /** Runs a command in a member's pod, like the exec of a workload cluster. Throws WorkloadUnreachableError. */
  execute(command: PodCommand): Promise<CommandResult>;
  /** Adds a non-voting member that is not started yet. Returns etcd's error, if any. */
  addLearner(name: string): Promise<string | undefined>;
  /** Starts an added member. */
  start(name: string): Promise<void>;
  /** Makes a member a voting one as soon as it has caught up. */
  promote(name: string): Promise<void>;
  /** Kills the member's machine without removing the member from etcd. */
  kill(name: string): Promise<void>;
  /** Writes through the member until it has no space left. */
  fill(name: string): Promise<void>;
  /** Waits until the members have been connected for as long as etcd requires before a change. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of voting members. */
export type StartEtcd = (names: readonly string[]) => Promise<EtcdSubject>;
