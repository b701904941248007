/**
 * How long a pass waits for machines in progress. Their own executions touch the cluster; the wait covers a lost
 * execution.
 */
import type { Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { isUnsearched } from '../../../../shared/plan/machines/awaited.ts';
import { isOverdue, restFrom } from '../../../../shared/plan/machines/waiting.ts';
import { findCondition, isTrue } from '../../../../shared/plan/status/conditions.ts';
import { clusterRefOf } from '../../../cluster-ref.ts';
import type { PoolObjects } from '../../pools.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import { isMachineUnfinished } from '../../unfinished-machines.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/** The wait grows with the time since the last progress, within these limits. */
export const PROGRESS_SECONDS = 30;
const LONGEST_PROGRESS_SECONDS = 120;
/** Slow machines are checked rarely, because checks cost money. */
const SLOW_PROGRESS_SECONDS = 300;
const SLOW_AFTER_SECONDS = 15 * 60;
/**
 * For machines that all have an execution, or are watched: only their executions make progress, and these rarely fail.
 */
const LEASED_SECONDS = 240;
/** A lease that ends this soon belongs to a machine that waits for its next attempt without a running execution. */
const SHORTEST_LEASE_SECONDS = 60;

const sinceOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.deletionTimestamp ?? metadata.creationTimestamp;

/** If the node of a machine was ready before, the machine has been in progress since then. */
const awaitedSince = (machine: Machine): string | undefined =>
  [sinceOf(machine), findCondition(machine.status?.conditions, 'NodeReady')?.lastTransitionTime]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);

const netFor = (since: readonly (string | undefined)[], now: Date): number => {
  const ages = since.map((time) => (now.getTime() - Date.parse(time ?? now.toISOString())) / 1000);
  return Math.min(LONGEST_PROGRESS_SECONDS, Math.max(PROGRESS_SECONDS, Math.round(Math.min(...ages))));
};

/** Whether the API server has come up recently, and no execution that waits for nodes has reached it yet. */
const isSilent = ({ cluster, machines }: ClusterSnapshot): boolean =>
  !isTrue(cluster.status?.conditions, 'ControlPlaneInitialized') &&
  machines.every(
    (machine) =>
      isUnsearched(machine) || findCondition(machine.status?.conditions, 'NodeReady')?.reason === 'ConnectionDown',
  );

/** Whether an execution works on each machine in progress, or watches it, and is not about to pause. */
const isAllLeased = async (
  { work, clock }: ObjectsDependencies,
  { cluster }: ClusterSnapshot,
  open: readonly Machine[],
): Promise<boolean> => {
  const { busy, awaited, isWatched, leasedUntil } = await work.machinesInWork(clusterRefOf(cluster));
  const isInWork = ({ metadata: { uid = '' } }: Machine) => busy.has(uid) || (isWatched && awaited.has(uid));
  const left = ((leasedUntil?.getTime() ?? 0) - clock.now().getTime()) / 1000;
  return left > SHORTEST_LEASE_SECONDS && open.every(isInWork);
};

/**
 * The seconds until the next pass. Deletions are retried regularly, because each attempt may get further than the
 * previous one. `isQuiet` returns whether a pass has nothing to do but wait for machines; it is called only if that
 * matters.
 */
export const progressSeconds = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
  isQuiet: () => Promise<boolean>,
): Promise<number> => {
  const { cluster, machines } = snapshot;
  const now = deps.clock.now();
  // A machine that was just deleted still has the status of a finished machine.
  const open = machines.filter(
    (machine) => machine.metadata.deletionTimestamp || isMachineUnfinished(machine, snapshot),
  );
  const since = [...open.map(awaitedSince), ...pools.map(({ pool }) => sinceOf(pool))];
  const recent = since.filter((time) => !isOverdue(time, SLOW_AFTER_SECONDS, now));
  const isDeleting = [cluster, ...open, ...pools.map(({ pool }) => pool)].some(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  );
  if (recent.length === 0)
    return isDeleting ? SLOW_PROGRESS_SECONDS : Math.min(...since.map((time) => restFrom(time, now)));
  const isWaitingOnly = pools.length === 0 && !cluster.metadata.deletionTimestamp;
  if (isWaitingOnly && (isSilent(snapshot) || (await isQuiet())) && (await isAllLeased(deps, snapshot, open)))
    return LEASED_SECONDS;
  return netFor(recent, now);
};
