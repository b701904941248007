/**
 * The sweep finds what the events have missed. It always costs the same: one read of the index of unfinished work, one
 * list of each kind, and the paged listings of each provider's cloud (functions/providers/sweep-port.ts); a few
 * clusters are checked in detail, in turn. It starts a pass only for clusters with differences, and changes nothing at
 * all if too much looks different. An object that cannot be handled is reported on its own cluster and does not stop
 * the others (functions/bulkheads.ts).
 */
import type { Cluster } from '../../shared/kinds/index.ts';
import { makeReadBudget } from '../../shared/kube-api/storage/read-budget.ts';
import { type FleetMetrics, fleetMetrics } from '../../shared/plan/drift/fleet-metrics.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import { type Collection, collect } from './collect.ts';
import type { DriftDependencies } from './dependencies.ts';
import { noteAnnouncements } from './fleet/announcements.ts';
import { brake } from './fleet/brake.ts';
import { machinesOf, type Observation, observeFleets } from './fleet/observe.ts';
import { unreadNews, unreadOf } from './fleet/unread-clouds.ts';
import { infrastructureDrift } from './infrastructure-drift.ts';
import { repairInstances } from './instances/differences.ts';
import { updateOutdatedMachines } from './instances/outdated-machines.ts';
import { type Compared, compareStates } from './instances/states.ts';
import { handleUnknownInstances } from './instances/unknown-instances.ts';
import { discoverExtensions } from './left-over/extensions.ts';
import { hasFailedExport } from './left-over/failed-exports.ts';
import { forgetRecords } from './left-over/forget-records.ts';
import { releaseAbandonedObjects } from './left-over/release-abandoned.ts';
import { SWEEP_LIMITS } from './memory-limits.ts';
import { type Namespaces, readNamespaces } from './namespaces.ts';
import { markPassedOver, unmarkPassedOver } from './reports/report-passed-over.ts';
import { isWidespread, reportTroubles } from './reports/report-troubles.ts';
import { type SweepRun, startRun } from './run.ts';
import { isFirst } from './shards.ts';
import { touchAll, touchUnfinished, type Unfinished } from './unfinished.ts';

export interface SweepResult {
  /** Clusters with unfinished work. */
  due: number;
  /** The number of these for which passes were requested repeatedly, but none began. */
  stalled: number;
  considered: number;
  /** Machines whose instances are not in the recorded state. */
  found: number;
  /** Whether so much looked lost in some namespace that nothing was changed there. */
  isSuspicious: boolean;
  /** Clusters for which a pass was requested. */
  touched: number;
  /** Objects that were deleted because their owners are gone, or that lost an owner. */
  collected: number;
  /** Clusters with an object that could not be handled, or whose account could once be read and no longer can. */
  troubled: number;
  /** Namespaces that were not compared because they take too much memory. */
  passedOver: number;
  /** Whether the last export of the table failed; only the first sweep of an hour checks. */
  hasFailedExport: boolean;
  fleetMetrics: FleetMetrics;
}

/** The results and numbers of a sweep, and the errors of what it could not read or do. */
export interface Sweep {
  readonly result: SweepResult;
  /** The caller throws the first of them after it has reported the result. */
  readonly faults: readonly unknown[];
}

/** The result of a sweep without faults. If there are faults, throws the first. */
export const resultOf = ({ result, faults }: Sweep): SweepResult => {
  if (faults.length > 0) throw faults[0];
  return result;
};

/** Applies the policies and returns the clusters that need a pass because of changes. */
const actOn = async (
  deps: DriftDependencies,
  { namespaces, unread }: Observation,
  { mark, believed, trusted }: Compared,
  run: SweepRun,
): Promise<Cluster[]> => {
  // This comes before marks are written, which are newer than what was read.
  const updated = await updateOutdatedMachines(deps, trusted, run);
  const lost = await mark();
  const changed = await repairInstances(deps, machinesOf(trusted), run);
  await handleUnknownInstances(deps, trusted, run);
  const infrastructure = await infrastructureDrift(deps, { namespaces, unread, believed, trusted }, run);
  return [...updated, ...lost, ...changed, ...infrastructure];
};

const uniqueRefs = (clusters: readonly Cluster[]): ClusterRef[] => [
  ...new Map(clusters.map((cluster) => [cluster.metadata.uid, clusterRefOf(cluster)])).values(),
];

/** Unfinished work in all namespaces: a few items of two indexes, which the first part handles for all parts. */
const goOn = async (deps: DriftDependencies, run: SweepRun): Promise<Unfinished & { collected: Collection }> => {
  if (!isFirst(deps.shard)) return { clusters: [], stalled: 0, collected: { count: 0, isTouched: true } };
  // Unfinished work does not wait for the account: it is the trace of a lost start.
  const unfinished = await touchUnfinished(deps, run);
  return { ...unfinished, collected: await collect(deps, run) };
};

/** This only cleans up, so an error does not affect the results. */
const forget = async (deps: DriftDependencies, namespaces: readonly string[], { faults }: SweepRun): Promise<void> => {
  try {
    const records = await forgetRecords(deps, namespaces);
    if (records > 0) deps.log.info('records of deleted objects were removed', { records });
    const objects = await releaseAbandonedObjects(deps, namespaces);
    if (objects > 0) deps.log.info('objects in deletion that nothing refers to were released', { objects });
  } catch (error) {
    deps.log.error('what deleted objects left behind could not be removed', { reason: safeReason(error) });
    faults.push(error);
  }
};

type Own = Namespaces['own'];

/** Observes these namespaces. Those that take too much memory are marked before anything else happens. */
const observe = async (deps: DriftDependencies, own: Own, run: SweepRun): Promise<Observation & { read: Own }> => {
  const names = own.map(({ metadata }) => metadata.name);
  const observation = await observeFleets(deps, names, run);
  return { ...observation, read: await markPassedOver(deps, own, run) };
};

/** Returns the final number of skipped namespaces: later lists may have made more of them too large. */
const settleNamespaces = async (deps: DriftDependencies, own: Own, read: Own, run: SweepRun): Promise<number> => {
  const swept = await markPassedOver(deps, read, run);
  await unmarkPassedOver(deps, swept, run);
  return own.length - swept.length;
};

/** A fault if so many clusters have trouble that the cause is probably our own. */
const widespread = (troubled: number, clusters: number): Error[] =>
  isWidespread(troubled, clusters)
    ? [new Error(`${troubled} of ${clusters} clusters could not be handled; their conditions and the log say why`)]
    : [];

/** Records which clusters have trouble. Returns their number, and a fault if there are too many of them. */
const reportTrouble = async (deps: DriftDependencies, run: SweepRun, observation: Observation) => {
  const clusters = observation.parts.flatMap((part) => part.clusters.map(({ cluster }) => cluster));
  const unread = unreadOf(observation);
  const failed = await reportTroubles(deps, run, clusters, unread);
  const troubled = failed + unread.filter(({ isEstablished }) => isEstablished).length;
  return { troubled, faults: widespread(failed, clusters.length) };
};

/**
 * One sweep. Its faults include the errors of parts of a cloud that could not be read, and an Error if so many clusters
 * have trouble that the cause is probably our own; everything else is done and counted. Throws if the table does not
 * answer.
 */
export const sweep = async (deps: DriftDependencies): Promise<Sweep> => {
  const { clock, log } = deps;
  const { own, leftOut } = await readNamespaces(deps);
  const run = startRun(deps, await deps.fleetBrake?.holds(), makeReadBudget(deps.memory ?? SWEEP_LIMITS, leftOut));
  const { clusters: due, stalled, collected } = await goOn(deps, run);

  const observation = await observe(deps, own, run);
  if (isFirst(deps.shard)) await discoverExtensions(deps, run);
  const noticed = await noteAnnouncements(deps, observation, run);
  const compared = await compareStates(deps, observation, run);
  const drifted = await actOn(deps, observation, compared, run);
  const isBraking = await brake(deps, observation, run);
  const news = unreadNews(observation);
  await run.pledge(news);
  const others = uniqueRefs([...drifted, ...noticed, ...news, ...run.failed()]);
  const started = new Set(due.map(({ uid }) => uid));
  if ((await touchAll(deps, run, others)) && collected.isTouched) await run.redeem();

  const { troubled, faults } = await reportTrouble(deps, run, observation);
  const touched = started.size + others.filter(({ uid }) => !started.has(uid)).length;
  const { considered, found } = compared;
  const counts = {
    due: due.length,
    stalled,
    considered,
    found,
    isSuspicious: compared.isSuspicious || isBraking,
    touched,
    collected: collected.count,
    troubled,
    passedOver: await settleNamespaces(deps, own, observation.read, run),
    hasFailedExport: await hasFailedExport(deps, run),
  };
  log.info('sweep finished', { shard: deps.shard.index, ...counts });
  await forget(deps, observation.namespaces, run);
  return {
    result: { ...counts, fleetMetrics: fleetMetrics(observation.known, clock.now()) },
    faults: [...run.faults, ...faults],
  };
};
