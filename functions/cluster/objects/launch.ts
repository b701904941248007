import type { Machine } from '../../../shared/kinds/index.ts';
import { isSettled } from '../../../shared/plan/machines/status.ts';
import type { ConvergeInput, MachineRef } from '../../../shared/work/payloads.ts';
import { type ClusterSnapshot, readCluster } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/** Starts one execution for each machine that needs one and has none; does not wait for them. */
export const launch = (deps: ObjectsDependencies) => async (input: ConvergeInput) => {
  const snapshot = await readCluster(deps.objects, input.cluster);
  if (!snapshot) return {};
  return { started: await startMachines(deps, snapshot, input.wanted) };
};

const refOf = ({ metadata }: Machine, { cluster }: ClusterSnapshot): MachineRef => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  clusterName: cluster.metadata.name,
  clusterUid: cluster.metadata.uid ?? '',
});

/**
 * Starts the executions of the machines that are to be provisioned or removed and that no execution works on. The name
 * is the machine's uid and the number of this pass: the same start twice is one execution.
 */
export const startMachines = async (
  { work, executions }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  pass: number,
): Promise<number> => {
  const { namespace = '', name } = snapshot.cluster.metadata;
  const open = snapshot.machines.filter(
    (machine) =>
      machine.metadata.deletionTimestamp ||
      !(isSettled(machine) || snapshot.infrastructureMachines.get(machine.metadata.name)?.facts.gone),
  );
  if (open.length === 0) return 0;
  const busy = await work.machinesInWork(namespace, name);
  const idle = open.filter(({ metadata }) => !busy.has(metadata.uid ?? ''));
  await Promise.all(
    idle.map((machine) => {
      const ref = refOf(machine, snapshot);
      const start = machine.metadata.deletionTimestamp ? executions.startRemove : executions.startProvision;
      return start(ref, `${ref.uid}-${pass}`);
    }),
  );
  return idle.length;
};
