import type { Topology } from '../../../shared/kinds/cluster/schema.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import { ANNOTATION } from '../../../shared/plan/labels.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { planTopology } from '../../../shared/plan/topology/operations/plan.ts';
import type { TopologyProgress } from '../../../shared/plan/topology/upgrade/condition.ts';
import {
  deletingTopology,
  failedTopology,
  pausedTopology,
  type TopologyCondition,
  topologyCondition,
} from '../../../shared/plan/topology/upgrade/condition.ts';
import { applyTopology, type TopologyDependencies } from './apply.ts';
import { readBlueprint, readLive } from './read.ts';
import { settleBlueprint } from './settle.ts';

interface Outcome {
  condition: TopologyCondition;
  /** Undefined where it could not be computed: the plan in the status stays. */
  progress?: TopologyProgress;
}

/** What a topology that cannot be carried out says of itself; other errors are not the user's, and end the pass. */
const failureOf = (error: unknown): string => {
  if (error instanceof TopologyError) return error.message;
  if (error instanceof StatusError && error.code < 500)
    return `error reconciling the Cluster topology: ${error.message}`;
  throw error;
};

const carryOut = async (deps: TopologyDependencies, cluster: Cluster, topology: Topology): Promise<Outcome> => {
  let progress: TopologyProgress | undefined;
  try {
    const found = await readBlueprint(deps.objects, cluster, topology);
    const blueprint = await settleBlueprint(deps.objects, cluster, found);
    const live = await readLive(deps.objects, blueprint);
    const plan = planTopology(blueprint, live, deps.clock.now());
    progress = plan.progress;
    await applyTopology(deps, cluster, plan.stages);
    return { condition: topologyCondition(progress), progress };
  } catch (error) {
    return { condition: failedTopology(failureOf(error)), ...(progress ? { progress } : {}) };
  }
};

const planOf = (versions: readonly string[]) =>
  versions.length > 0 ? { upgradePlan: versions.map((version) => ({ version })) } : {};

const withoutPlan = ({ upgradePlan: _, ...rest }: { upgradePlan?: unknown } = {}) => rest;

const statusOf = (cluster: Cluster, { condition, progress }: Outcome, now: Date): Cluster['status'] => {
  const { status, metadata } = cluster;
  const plan = progress && {
    controlPlane: { ...withoutPlan(status?.controlPlane), ...planOf(progress.plan.controlPlane) },
    workers: { ...withoutPlan(status?.workers), ...planOf(progress.plan.workers) },
  };
  const conditions = withConditions(status?.conditions, [condition], metadata.generation, now);
  return { ...status, ...plan, conditions } as Cluster['status'];
};

const outcomeOf = async (deps: TopologyDependencies, cluster: Cluster, topology: Topology): Promise<Outcome> => {
  if (isPaused(cluster)) {
    return {
      condition: pausedTopology(
        cluster.spec.paused === true,
        ANNOTATION.paused in (cluster.metadata.annotations ?? {}),
      ),
    };
  }
  return cluster.metadata.deletionTimestamp ? { condition: deletingTopology() } : carryOut(deps, cluster, topology);
};

/**
 * Makes the objects of a cluster as its topology wants them, and says in the Cluster how far it is. What is wrong with a
 * topology, its class or its templates is told in the condition TopologyReconciled, and what is there goes on. Returns the
 * Cluster as it is then; undefined where it is gone.
 */
export const reconcileTopology = async (deps: TopologyDependencies, cluster: Cluster): Promise<Cluster | undefined> => {
  const { topology } = cluster.spec;
  if (!topology) return cluster;
  const outcome = await outcomeOf(deps, cluster, topology);
  return deps.objects.mutate(kinds.cluster, keyOf(cluster), (current) => ({
    ...current,
    status: statusOf(current, outcome, deps.clock.now()),
  }));
};
