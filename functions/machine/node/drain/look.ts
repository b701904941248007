import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { formatTime } from '../../../../shared/kube-api/object.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import { findCondition } from '../../../../shared/plan/status/conditions.ts';
import { touchAfter } from '../../../../shared/store/work/pledges.ts';
import type { MachineInput, MachineRef, ProgressResult } from '../../../../shared/work/payloads.ts';
import type { WorkloadClient } from '../../../../shared/workload/client.ts';
import { requireWorkloadTarget } from '../../../cluster/kubeconfig-secret.ts';
import { clusterOf, type MachineSnapshot, machineKey } from '../../read-machine.ts';
import type { NodeDependencies } from '../dependencies.ts';

/** One check of a machine that is being drained; its `machine` is the state that was written last. */
export interface Look {
  deps: NodeDependencies;
  input: MachineInput;
  snapshot: MachineSnapshot;
  machine: Machine;
}

/** One stage of a deletion: returns the machine's wait, or undefined to continue. */
export type Stage = (look: Look) => Promise<ProgressResult | undefined>;

type StartTime = keyof NonNullable<NonNullable<Machine['status']>['deletion']>;

/** The reason why a machine still exists, with the reasons of Cluster API's condition Deleting. */
export interface Delay {
  reason: 'WaitingForPreDrainHook' | 'DrainingNode' | 'WaitingForVolumeDetach' | 'WaitingForPreTerminateHook';
  message: string;
}

/** The stage that a machine's deletion has reached, as its condition Deleting reports it. */
const deletingReason = ({ status }: Machine): string | undefined =>
  findCondition(status?.conditions, 'Deleting')?.reason;

/**
 * Runs `write`, which records why the machine still exists. Its owners report the stage as well, so a new stage
 * requests a pass over the cluster.
 */
export const writeStage = async <T>(
  deps: NodeDependencies,
  { ref, machine, reason }: { ref: MachineRef; machine: Machine; reason: Delay['reason'] },
  write: () => Promise<T>,
): Promise<T> => {
  if (deletingReason(machine) === reason) return write();
  let written: T | undefined;
  await touchAfter(deps, [clusterOf(ref)], async () => {
    written = await write();
    return [clusterOf(ref)];
  });
  return written as T;
};

/** Records what the machine waits for. `since` is set to the current time unless it is already known. */
export const report = async (look: Look, since: StartTime, delay: Delay): Promise<void> => {
  const { deps, input } = look;
  const now = deps.clock.now();
  const deleting = { type: 'Deleting', status: 'True', ...delay } as const;
  const change = (current: Machine): Machine => {
    const status = { ...current.status, deletion: { [since]: formatTime(now), ...current.status?.deletion } };
    return withObservation({ ...current, status }, { deleting }, now);
  };
  const stage = { ref: input.machine, machine: look.machine, reason: delay.reason };
  look.machine =
    (await writeStage(deps, stage, () =>
      deps.objects.mutate(kinds.machine, machineKey(input.machine), change, { from: look.machine }),
    )) ?? look.machine;
};

/** Records only the start of the wait, before it is known whether the machine has to wait. */
export const begin = async (look: Look, since: StartTime): Promise<void> => {
  const { deps, input, machine } = look;
  const at = formatTime(deps.clock.now());
  const change = (current: Machine): Machine => {
    const status = { ...current.status, deletion: { [since]: at, ...current.status?.deletion } };
    return { ...current, status };
  };
  look.machine =
    (await deps.objects.mutate(kinds.machine, machineKey(input.machine), change, { from: machine })) ?? machine;
};

/** The start of the machine's wait; the current time if it is unknown. */
export const startOf = ({ machine, deps }: Look, since: StartTime): string =>
  machine.status?.deletion?.[since] ?? formatTime(deps.clock.now());

/** Runs an operation on the workload cluster's API, and closes the connection. Throws WorkloadUnreachableError. */
export const withWorkload = async <T>(
  { deps, snapshot: { cluster } }: Pick<Look, 'deps' | 'snapshot'>,
  work: (client: WorkloadClient) => Promise<T>,
): Promise<T> => {
  const client = deps.connect(await requireWorkloadTarget(deps.objects, cluster));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};
