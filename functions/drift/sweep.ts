/**
 * The level behind the events: what was lost is found here. One sweep costs the same on a good and on a bad day: one
 * look into the index of unfinished work, one list of each kind, and paged listings of instances, of scheduled events
 * and of what networks and load balancers are made of, for each region; a few clusters are looked at closely in turn. It starts a pass only
 * for clusters in which something differs, and changes nothing at all when the difference is too large.
 */
import { recordEvent } from '../../shared/events/record.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import { type Census, census } from '../../shared/plan/drift/census.ts';
import { type DriftPlan, planDrift } from '../../shared/plan/drift/states.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { collect } from './collect.ts';
import { COMPONENT, type DriftDependencies } from './dependencies.ts';
import { forgetRecords } from './forget-records.ts';
import { infrastructureDrift } from './infrastructure-drift.ts';
import { noteMaintenance } from './maintenance.ts';
import { mark } from './mark.ts';
import { type Observation, observeFleet } from './observe.ts';
import { repairInstances } from './repair-instances.ts';
import { handleUnknownInstances } from './unknown-instances.ts';

export interface SweepResult {
  /** Clusters with unfinished work. */
  due: number;
  considered: number;
  /** Machines whose instances are in another state than was known. */
  found: number;
  isSuspicious: boolean;
  /** Clusters for which a pass was asked. */
  touched: number;
  /** Objects that went because their owners are gone, or lost an owner. */
  collected: number;
  census: Census;
}

const CONCURRENCY = 10;

const refOf = ({ metadata }: Cluster): ClusterRef => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
});

const clustersOf = ({ findings }: DriftPlan): Cluster[] => [
  ...new Map(findings.map(({ cluster }) => [cluster.metadata.uid, cluster])).values(),
];

/** Says on each cluster concerned that we do not believe our own eyes. */
const warn = async ({ objects, clock, log }: DriftDependencies, plan: DriftPlan): Promise<void> => {
  const { lost, considered } = plan;
  log.warn('too many instances look lost at once, so the sweep changes nothing', { lost, considered });
  const message = `${lost} of ${considered} instances look lost at once. That is taken for a fault of the sweep or its permissions: nothing is replaced until fewer do`;
  await mapConcurrently(clustersOf(plan), CONCURRENCY, (regarding) =>
    recordEvent(
      objects,
      { regarding, type: 'Warning', reason: 'SweepSuspended', message, component: COMPONENT },
      clock,
    ),
  );
};

/** Marks what was found and returns the clusters that have to look at it. */
const markAll = async (deps: DriftDependencies, plan: DriftPlan): Promise<ClusterRef[]> => {
  const marked = await mapConcurrently(plan.findings, CONCURRENCY, async (finding) => {
    const isMarked = await mark(deps, finding, COMPONENT);
    return isMarked ? [refOf(finding.cluster)] : [];
  });
  return marked.flat();
};

/** Does what the policies ask for and returns the clusters that have to look at what changed. */
const actOn = async (deps: DriftDependencies, plan: DriftPlan, observation: Observation): Promise<ClusterRef[]> => {
  const lost = await markAll(deps, plan);
  const changed = await repairInstances(deps, observation);
  await handleUnknownInstances(deps, observation);
  const infrastructure = await infrastructureDrift(deps, observation);
  return [...lost, ...[...changed, ...infrastructure].map(refOf)];
};

/** One sweep. Throws, after all else is done, what a region that could not be read threw. */
export const sweep = async (deps: DriftDependencies): Promise<SweepResult> => {
  const { work, touch, clock, log } = deps;
  const due = (await work.due(clock.now())).map(({ cluster }) => cluster);
  // Unfinished work does not wait for the account: it is what a lost start leaves behind.
  await mapConcurrently(due, CONCURRENCY, touch);
  const collected = await collect(deps);

  const observation = await observeFleet(deps);
  const { errors, machines, instances } = observation;
  const states = new Map([...instances].map(([id, { state }]) => [id, state]));
  const plan = planDrift({ machines, states, now: clock.now() });
  const noticed = (await noteMaintenance(deps, observation)).map(refOf);
  if (plan.isSuspicious) await warn(deps, plan);
  const drifted = plan.isSuspicious ? [] : await actOn(deps, plan, observation);
  const started = new Set(due.map(({ uid }) => uid));
  const others = [...new Map([...drifted, ...noticed].map((ref) => [ref.uid, ref])).values()];
  await mapConcurrently(others, CONCURRENCY, touch);

  const touched = started.size + others.filter(({ uid }) => !started.has(uid)).length;
  const { considered, findings, isSuspicious } = plan;
  const counts = { due: due.length, considered, found: findings.length, isSuspicious, touched, collected };
  log.info('sweep finished', counts);
  const forgotten = await forgetRecords(deps);
  if (forgotten > 0) log.info('records of objects that are gone were ended', { records: forgotten });
  const known = machines.map(({ machine }) => machine);
  if (errors.length > 0) throw errors[0];
  return { ...counts, census: census(known, clock.now()) };
};
