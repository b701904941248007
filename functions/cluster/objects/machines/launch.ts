import type { Machine, MachinePool } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { isOverdue } from '../../../../shared/plan/machines/waiting.ts';
import { findCondition } from '../../../../shared/plan/status/conditions.ts';
import type { ConvergeInput, MachineRef } from '../../../../shared/work/payloads.ts';
import { clusterRefOf } from '../../../cluster-ref.ts';
import { isHeldOutside } from '../../held-outside.ts';
import { isMachinePaused } from '../../paused-parts.ts';
import { isPoolOpen, type PoolObjects, readPools } from '../../pools.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import { isMachineUnfinished } from '../../unfinished-machines.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { PROGRESS_SECONDS } from '../finish/progress.ts';

/** Starts one execution for each machine and pool that needs one and has none; does not wait for them. */
export const launch = (deps: ObjectsDependencies) => async (input: ConvergeInput) => {
  const snapshot = await readCluster(deps.objects, input.cluster);
  if (!snapshot) return {};
  return { started: await startWork(deps, snapshot, await readPools(deps.objects, snapshot), input.wanted) };
};

const partition = <T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] => [
  items.filter(is),
  items.filter((item) => !is(item)),
];

const refOf = ({ metadata }: Machine | MachinePool, { cluster }: ClusterSnapshot): MachineRef => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  clusterName: cluster.metadata.name,
  clusterUid: cluster.metadata.uid ?? '',
});

/** Whether an external provider is removing the machine's infrastructure; a pass starts when the object is removed. */
const isTakenDownOutside = (machine: Machine, { infrastructureMachines }: ClusterSnapshot): boolean => {
  const infrastructure = infrastructureMachines.get(machine.metadata.name);
  return (
    infrastructure !== undefined && isHeldOutside(machine, infrastructure) && isBeingDeleted(infrastructure.object)
  );
};

export const isBeingDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** Less than the wait for the next pass, which then starts the executions. */
const LOST_SECONDS = PROGRESS_SECONDS - 10;

/**
 * Whether the API server has only just stopped answering passes. The execution of the machine might find the node at
 * once and request a pass, which does not find it again: if the API server answers only some requests, they would start
 * each other as fast as they can.
 */
const isJustLost = ({ status }: Machine, now: Date): boolean => {
  const ready = findCondition(status?.conditions, 'NodeReady');
  return (
    status?.nodeRef !== undefined &&
    ready?.reason === 'ConnectionDown' &&
    !isOverdue(ready.lastTransitionTime, LOST_SECONDS, now)
  );
};

const isOpen = (machine: Machine, snapshot: ClusterSnapshot, now: Date): boolean => {
  if (isMachinePaused(machine, snapshot.infrastructureMachines.get(machine.metadata.name))) return false;
  if (isBeingDeleted(machine)) return !isTakenDownOutside(machine, snapshot);
  return (
    isMachineUnfinished(machine, snapshot) &&
    !isJustLost(machine, now) &&
    !snapshot.infrastructureMachines.get(machine.metadata.name)?.facts.gone
  );
};

/**
 * Starts executions for those machines that `isMeant` accepts, by default all, and that must be provisioned or removed,
 * and for those of `pools` whose groups differ from their spec, unless an execution already works on them. The name
 * consists of the object's uid and the number of this pass, so starting twice leads to one execution. `snapshot` has
 * all machines of the cluster, because they decide whether a pool has work to do.
 */
export const startWork = async (
  { work, executions, clock }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
  pass: number,
  isMeant: (machine: Machine) => boolean = () => true,
): Promise<number> => {
  const machines = snapshot.machines.filter((machine) => isMeant(machine) && isOpen(machine, snapshot, clock.now()));
  const open = pools.filter((pool) => isPoolOpen(pool, snapshot, clock.now()));
  if (machines.length + open.length === 0) return 0;
  const { busy, awaited, isWatched } = await work.machinesInWork(clusterRefOf(snapshot.cluster));
  const isIdle = ({ metadata }: Machine | MachinePool) => !busy.has(metadata.uid ?? '');
  const isAwaited = ({ metadata }: Machine) => !metadata.deletionTimestamp && awaited.has(metadata.uid ?? '');
  const [watching, others] = partition(machines.filter(isIdle), isAwaited);
  // One execution watches for the nodes of all machines; if it failed, that of the first machine continues.
  const begun = [...others, ...(isWatched ? [] : watching.slice(0, 1))];
  const starts = [
    ...begun.map((machine) => {
      const ref = refOf(machine, snapshot);
      const start = machine.metadata.deletionTimestamp ? executions.startRemove : executions.startProvision;
      return start(ref, `${ref.uid}-${pass}`);
    }),
    ...open
      .filter(({ pool }) => isIdle(pool))
      .map(({ pool }) => {
        const ref = refOf(pool, snapshot);
        return executions.startPool(ref, `${ref.uid}-${pass}`);
      }),
  ];
  await Promise.all(starts);
  return starts.length;
};
