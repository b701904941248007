import type { Cluster, MachineDeployment } from '../../../../shared/kinds/index.ts';
import { faultsOf } from '../../../../shared/plan/addons/binding.ts';
import { secondsToRecheck } from '../../../../shared/plan/control-plane/recheck.ts';
import { availableAt } from '../../../../shared/plan/machines/availability.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { findCondition, isTrue } from '../../../../shared/plan/status/conditions.ts';
import { isDeploymentSettled } from '../../../../shared/plan/status/workers.ts';
import { secondsToNextHook } from '../../../../shared/plan/topology/hooks/memory.ts';
import { causeOf, THROTTLED } from '../../../../shared/work/failure.ts';
import type { ConvergeInput, Failure, FinishResult } from '../../../../shared/work/payloads.ts';
import { readBinding } from '../../addons/bindings.ts';
import { isMachinePaused } from '../../paused-parts.ts';
import { isPoolOpen, type PoolObjects, readPools } from '../../pools.ts';
import { tellOwner } from '../../rancher/owner.ts';
import {
  type ClusterSnapshot,
  controlPlaneMachines,
  machinesOfDeployment,
  readCluster,
  readClusterObject,
} from '../../snapshot.ts';
import { isMachineUnfinished } from '../../unfinished-machines.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { clusterRecorder } from '../reasons.ts';
import { nextDue, secondsToNextAvailable, secondsToNextCheck, secondsToNextMoment } from './due.ts';
import { nextPass } from './next-pass.ts';
import { PROGRESS_SECONDS, progressSeconds } from './progress.ts';
import {
  areSetsSettled,
  awaitsReplacement,
  isControlPlaneSettled,
  isTopologySettled,
  lacksDeployment,
} from './settled.ts';

/** A pass waits at most this long before it asks for the next one; longer waits are left to the sweep. */
const LONGEST_WAIT_SECONDS = 300;

const LONGEST_BACKOFF_SECONDS = 60 * 60;

/**
 * 1, 2, 4, … 256, 300, 450, 675, … seconds, up to an hour: about a third of the time since the cluster was last
 * settled.
 */
const backoffSeconds = (attempts: number): number =>
  attempts < 9 ? 2 ** attempts : Math.min(LONGEST_BACKOFF_SECONDS, Math.round(300 * 1.5 ** Math.min(attempts - 9, 9)));

/** The part of a wait that the workflow itself handles. */
const waitOf = (seconds: number): number => (seconds <= LONGEST_WAIT_SECONDS ? seconds : 0);

type Outcome = 'settled' | 'progressing' | 'blocked';

/** Whether anything is left to do, and whether work in progress will start the next pass. */
const outcomeOf = (snapshot: ClusterSnapshot, now: Date): Outcome => {
  const { cluster, machines, deployments } = snapshot;
  if (isPaused(cluster)) return 'settled';
  const open = machines
    .filter((machine) => !isMachinePaused(machine, snapshot.infrastructureMachines.get(machine.metadata.name)))
    .some((machine) => machine.metadata.deletionTimestamp || isMachineUnfinished(machine, snapshot));
  if (cluster.metadata.deletionTimestamp) return open ? 'progressing' : 'blocked';
  if (lacksDeployment(snapshot)) return 'blocked';
  const settled =
    isTrue(cluster.status?.conditions, 'Available') &&
    isControlPlaneSettled(snapshot) &&
    isTopologySettled(cluster) &&
    areSetsSettled(snapshot) &&
    !awaitsReplacement(snapshot, now) &&
    deployments.every((deployment) => isDeploymentSettled(deployment, machinesOfDeployment(snapshot, deployment)));
  if (settled && !open) return 'settled';
  return open ? 'progressing' : 'blocked';
};

const lacksAddons = async ({ objects }: ObjectsDependencies, { cluster }: ClusterSnapshot): Promise<boolean> =>
  Object.keys(faultsOf(await readBinding(objects, cluster))).length > 0;

/** A cluster that has all its machines but not all its add-ons is not settled. */
const withAddons = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot, outcome: Outcome): Promise<Outcome> => {
  if (outcome !== 'settled' || isPaused(snapshot.cluster)) return outcome;
  return (await lacksAddons(deps, snapshot)) ? 'blocked' : outcome;
};

/** Whether a pass could do nothing until a machine has made progress. */
const waitsOnlyForMachines = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  isTopologyDone = isTopologySettled(snapshot.cluster),
): Promise<boolean> => {
  const { conditions } = snapshot.cluster.status ?? {};
  const isReached = isTrue(conditions, 'ControlPlaneInitialized') && isTrue(conditions, 'RemoteConnectionProbe');
  if (!isReached || !isControlPlaneSettled(snapshot) || !isTopologyDone) return false;
  return !(await lacksAddons(deps, snapshot));
};

/** Whether the topology is upgrading its workers, and continues when their deployments are complete. */
const isUpgradingWorkers = ({ status }: Cluster): boolean =>
  findCondition(status?.conditions, 'TopologyReconciled')?.reason === 'ClusterUpgrading';

/**
 * Whether a cluster only waits for machines that are Ready to become Available after their `minReadySeconds`: no
 * earlier attempt would get any further.
 */
const waitsOnlyForTime = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot): Promise<boolean> => {
  const { cluster, deployments } = snapshot;
  const isDone = (deployment: MachineDeployment): boolean => {
    const machines = machinesOfDeployment(snapshot, deployment);
    return isDeploymentSettled(deployment, machines) || machines.some((machine) => availableAt(machine) !== undefined);
  };
  const isOtherwiseAvailable = ['InfrastructureReady', 'ControlPlaneAvailable'].every((type) =>
    isTrue(cluster.status?.conditions, type),
  );
  return (
    secondsToNextAvailable(deps, snapshot) !== undefined &&
    isOtherwiseAvailable &&
    !lacksDeployment(snapshot) &&
    deployments.every(isDone) &&
    waitsOnlyForMachines(deps, snapshot, isTopologySettled(cluster) || isUpgradingWorkers(cluster))
  );
};

/** The pools with their own running executions, which touch the cluster. */
const openPools = (
  { clock }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
): PoolObjects[] => (isPaused(snapshot.cluster) ? [] : pools.filter((pool) => isPoolOpen(pool, snapshot, clock.now())));

/**
 * If an extension delays a cluster, the next pass starts at the time that the extension requested, because nothing else
 * starts one. Longer waits are left to the sweep, because executions end after two hours.
 */
const whenBlocked = async (deps: ObjectsDependencies, input: ConvergeInput, seconds: number): Promise<FinishResult> => {
  const { cluster: ref, holder, seen = input.wanted } = input;
  const end = await deps.work.finish(ref, holder, seen, { dueAt: dueAfter(deps, seconds) });
  return nextPass(deps, input, end, waitOf(seconds));
};

/** A pass waits for the next relevant moment if that is close, so that it is handled to the second. */
const LONGEST_CHECK_SECONDS = 300;

/** The seconds until a pass checks a control plane again whose components may still be starting. */
const secondsToHealth = ({ clock }: ObjectsDependencies, snapshot: ClusterSnapshot): number | undefined => {
  const { cluster, controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution || distribution.isOutside || isPaused(cluster)) return undefined;
  const { components, node = [], etcd } = distribution.healthConditions(controlPlane);
  return secondsToRecheck(controlPlaneMachines(snapshot), [...components, ...node, ...etcd], clock.now());
};

const secondsToWait = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
  outcome: Outcome,
): Promise<number> => {
  const isQuiet = () => waitsOnlyForMachines(deps, snapshot);
  const progress = outcome === 'progressing' ? await progressSeconds(deps, snapshot, pools, isQuiet) : 0;
  const moments = [await secondsToNextCheck(deps, snapshot), secondsToNextMoment(deps, snapshot)];
  const health = outcome === 'progressing' ? undefined : secondsToHealth(deps, snapshot);
  const waits = [
    ...(progress > 0 ? [progress] : []),
    ...moments.flatMap((seconds) => (seconds !== undefined && seconds <= LONGEST_CHECK_SECONDS ? [seconds] : [])),
    ...(health !== undefined ? [health] : []),
  ];
  return waits.length === 0 ? 0 : Math.min(...waits);
};

export const GONE: FinishResult = { again: false, waitSeconds: 0, wanted: 0 };

/** The objects of a cluster that the end of a pass reads. */
export interface Found {
  snapshot: ClusterSnapshot;
  pools: readonly PoolObjects[];
}

/** Work that a pass does before it ends. Returns the snapshot after it. */
type Before = (input: ConvergeInput, found: Found) => Promise<ClusterSnapshot>;

const nothingBefore: Before = async (_, { snapshot }) => snapshot;

/**
 * Ends a pass: releases the lease, and requests the next pass if the cluster was touched since this one began. A
 * cluster that is not settled gets another pass: soon if nothing else will start one, or at increasing intervals if
 * that did not help before.
 */
export const finish =
  (deps: ObjectsDependencies, before = nothingBefore) =>
  async (input: ConvergeInput): Promise<FinishResult> => {
    const { objects, work } = deps;
    const { cluster: ref, holder, seen = input.wanted } = input;
    const found = await readCluster(objects, ref);
    if (!found) {
      await work.remove(ref);
      return GONE;
    }
    await tellOwner(deps, found.cluster);
    const pools = await readPools(objects, found);
    const snapshot = await before(input, { snapshot: found, pools });
    const open = openPools(deps, snapshot, pools);
    const outcome = await withAddons(
      deps,
      snapshot,
      open.length > 0 ? 'progressing' : outcomeOf(snapshot, deps.clock.now()),
    );
    const hook = isPaused(snapshot.cluster) ? undefined : secondsToNextHook(snapshot.cluster, deps.clock.now());
    const moment = secondsToNextMoment(deps, snapshot);
    if (hook !== undefined && outcome !== 'progressing')
      return whenBlocked(deps, input, Math.min(hook, moment ?? hook));
    if (outcome === 'blocked' && !(await waitsOnlyForTime(deps, snapshot))) return release(deps, input, moment);
    const waitSeconds = await secondsToWait(deps, snapshot, open, outcome);
    const dueAt = await dueAtOf(deps, snapshot, pools, waitSeconds);
    const end = await work.finish(ref, holder, seen, dueAt ? { dueAt } : {});
    return nextPass(deps, input, end, waitOf(waitSeconds));
  };

/**
 * The time at which the sweep checks the cluster. A pass that waits itself handles everything else that becomes due in
 * time.
 */
const dueAtOf = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
  waitSeconds: number,
): Promise<Date | undefined> => {
  if (waitOf(waitSeconds) > 0) return dueAfter(deps, waitSeconds);
  const due = await nextDue(deps, snapshot, pools);
  if (waitSeconds === 0) return due;
  const later = dueAfter(deps, waitSeconds);
  return due && due < later ? due : later;
};

/** The sweep comes somewhat later than the pass's own successor, so that it acts only if that was lost. */
const dueAfter = ({ clock }: Pick<ObjectsDependencies, 'clock'>, seconds: number): Date =>
  new Date(clock.now().getTime() + (seconds + PROGRESS_SECONDS) * 1000);

/**
 * Ends a pass that did not complete its work: the next one starts after an increasing wait of at most `longest`
 * seconds.
 */
export const release = async (
  deps: Pick<ObjectsDependencies, 'work' | 'touch' | 'clock'>,
  input: ConvergeInput,
  longest = LONGEST_BACKOFF_SECONDS,
): Promise<FinishResult> => {
  const { work } = deps;
  const { cluster: ref, holder } = input;
  const attempts = (await work.get(ref))?.attempts ?? 0;
  const waitSeconds = Math.min(longest, backoffSeconds(attempts));
  const end = await work.release(ref, holder, { failed: true, dueAt: dueAfter(deps, waitSeconds) });
  return nextPass(deps, input, end, waitOf(waitSeconds));
};

/** After a wait, requests a new pass, unless one was requested in the meantime. */
export const requeue =
  ({ objects, work, touch }: ObjectsDependencies) =>
  async ({ cluster: ref, wanted, seen = wanted }: ConvergeInput) => {
    const current = await work.get(ref);
    if (current && current.wanted > seen) return { touched: false };
    if (!(await readClusterObject(objects, ref))) return { touched: false };
    await touch(ref);
    return { touched: true };
  };

/** After a permanent failure of a step: reports it on the Cluster, releases the lease, and tries again later. */
export const fail =
  (deps: ObjectsDependencies) =>
  async ({ failure, ...input }: ConvergeInput & { failure?: Failure }): Promise<FinishResult> => {
    const cluster = await readClusterObject(deps.objects, input.cluster);
    if (!cluster) {
      await deps.work.remove(input.cluster);
      return GONE;
    }
    const { name, message } = causeOf(failure);
    const text = `Reconciliation failed and will be retried: ${name}: ${message}`;
    if (name === THROTTLED) await clusterRecorder(deps).normal(cluster, 'RateLimited', message);
    else await clusterRecorder(deps).warning(cluster, 'ReconcileFailed', text);
    return release(deps, input);
  };
