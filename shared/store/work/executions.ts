import { type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { ClusterRef, ConvergeInput, MachineInput, MachineRef, PoolInput, PoolRef } from '../../work/payloads.ts';
import type { TouchOptions, WorkStore } from './work.ts';

/**
 * Starts workflows. An execution's name can only be used once (AWS keeps it for 90 days), so the name identifies one
 * piece of work. If the name exists, this work has already been started, which counts as success.
 */
export interface Executions {
  /**
   * Starts the pass for request number `wanted`. Its name, which is also the holder of the lease, is `<cluster
   * uid>-<wanted>`. False if an execution with that name has already ended.
   */
  startConverge(cluster: ClusterRef, wanted: number): Promise<boolean>;
  /**
   * `name` has at most 80 characters, by convention `<machine uid>-<n>`. The holder of the machine's lease is
   * `provision/<name>` or `remove/<name>`: the two workflows may use the same name and must not be confused.
   */
  startProvision(machine: MachineRef, name: string): Promise<void>;
  /** Like `startProvision`. */
  startRemove(machine: MachineRef, name: string): Promise<void>;
  /** Starts work on a MachinePool; the holder of its lease is `pool/<name>`. */
  startPool(pool: PoolRef, name: string): Promise<void>;
}

/** Requests a pass over a cluster. After a change, its waits start again at one second (WorkStore.touch). */
export type Touch = (cluster: ClusterRef, options?: TouchOptions) => Promise<void>;

export interface ExecutionsDependencies {
  sfn: SFNClient;
  /** ARNs of the state machines; a function may omit those that it does not start. */
  convergeArn?: string;
  provisionArn?: string;
  removeArn?: string;
  poolArn?: string;
}

/** The name of a pass, which is also the holder of its lease. */
const convergeName = ({ uid }: ClusterRef, wanted: number): string => `${uid}-${wanted}`;

const isStartedAlready = (error: unknown): boolean =>
  error instanceof Error && /^ExecutionAlreadyExists/.test(error.name);

// Only the fields of the payload type are passed on, whatever else the caller's object contains.
const clusterRef = ({ namespace, name, uid }: ClusterRef): ClusterRef => ({ namespace, name, uid });
const machineRef = ({ namespace, name, uid, clusterName, clusterUid }: MachineRef): MachineRef => ({
  namespace,
  name,
  uid,
  clusterName,
  clusterUid,
});

/** Starts the workflows with Step Functions. Throws an Error that names the workflow whose ARN is missing. */
export const createExecutions = (deps: ExecutionsDependencies): Executions => {
  const { sfn, convergeArn, provisionArn, removeArn, poolArn } = deps;
  const start = async (
    workflow: string,
    stateMachineArn: string | undefined,
    name: string,
    input: ConvergeInput | MachineInput | PoolInput,
  ): Promise<boolean> => {
    if (!stateMachineArn) throw new Error(`this function was given no ARN of the state machine ${workflow}`);
    try {
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      return true;
    } catch (error) {
      if (!isStartedAlready(error)) throw error;
      return false;
    }
  };
  const startOnce = async (...work: Parameters<typeof start>): Promise<void> => {
    await start(...work);
  };
  return {
    startConverge: (cluster, wanted) => {
      const holder = convergeName(cluster, wanted);
      return start('converge-cluster', convergeArn, holder, { cluster: clusterRef(cluster), wanted, holder });
    },
    startProvision: (machine, name) =>
      startOnce('provision-machine', provisionArn, name, { machine: machineRef(machine), holder: `provision/${name}` }),
    startRemove: (machine, name) =>
      startOnce('remove-machine', removeArn, name, { machine: machineRef(machine), holder: `remove/${name}` }),
    startPool: (pool, name) =>
      startOnce('converge-pool', poolArn, name, { pool: machineRef(pool), holder: `pool/${name}` }),
  };
};

interface TouchDependencies {
  work: Pick<WorkStore, 'touch' | 'skip'>;
  executions: Pick<Executions, 'startConverge'>;
}

/**
 * Counts the request, and starts a pass unless a running one will see it. If the start fails, the error is passed to
 * the caller, but the request is kept and the sweep retries it.
 *
 * Each touch gets a unique number, so an execution with its name can only have ended before if the table was restored
 * to an earlier state: the counter was reset, and the following names are used up as well. The counter then skips all
 * of them.
 */
export const createTouch =
  ({ work, executions }: TouchDependencies): Touch =>
  async (cluster, options) => {
    const { wanted, leased } = await work.touch(cluster, options);
    if (leased || (await executions.startConverge(cluster, wanted))) return;
    const later = await work.skip(cluster);
    if (later.leased || (await executions.startConverge(cluster, later.wanted))) return;
    throw new Error(`the execution ${convergeName(cluster, later.wanted)} exists already; the next sweep tries again`);
  };
