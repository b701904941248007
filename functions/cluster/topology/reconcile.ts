import type { Topology } from '../../../shared/kinds/cluster/schema.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import { ANNOTATION } from '../../../shared/plan/labels.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type HookMemory, withHookMemory } from '../../../shared/plan/topology/hooks/memory.ts';
import { HookSession } from '../../../shared/plan/topology/hooks/session.ts';
import { planTopology, type TopologyPlan } from '../../../shared/plan/topology/operations/plan.ts';
import type { TopologyProgress } from '../../../shared/plan/topology/upgrade/condition.ts';
import {
  creatingTopology,
  failedTopology,
  pausedTopology,
  type TopologyCondition,
  topologyCondition,
} from '../../../shared/plan/topology/upgrade/condition.ts';
import { withinBudget } from '../../extensions/installed.ts';
import { applyTopology, type TopologyDependencies } from './apply.ts';
import { mayBeDeleted } from './deletion.ts';
import { type ExtensionDependencies, knowVariables, planWithAnswers } from './extensions.ts';
import { readBlueprint, readLive } from './read.ts';
import { settleBlueprint } from './settle.ts';

type Dependencies = TopologyDependencies & ExtensionDependencies;

interface Outcome {
  condition: TopologyCondition;
  /** Undefined if the plan could not be computed: the one in the status stays. */
  progress?: TopologyProgress;
  /** Undefined if no hook was evaluated: the recorded ones stay. */
  memory?: HookMemory;
  /** False if an extension blocks the deletion of the cluster. */
  mayBeDeleted: boolean;
}

/**
 * The text of the condition for a topology that cannot be carried out. Other errors are not the user's, and end the
 * pass.
 */
const failureOf = (error: unknown): string => {
  if (error instanceof TopologyError) return error.message;
  if (error instanceof StatusError && error.code < 500)
    return `error reconciling the Cluster topology: ${error.message}`;
  throw error;
};

/** Records hooks before anything else is changed, so that no hook is called again. */
const remember = async ({ objects }: Dependencies, cluster: Cluster, memory: HookMemory): Promise<void> => {
  if (withHookMemory(cluster, memory) === cluster) return;
  await objects.mutate(kinds.cluster, keyOf(cluster), (current) => withHookMemory(current, memory), { from: cluster });
};

const conditionOf = ({ progress }: TopologyPlan, session: HookSession): TopologyCondition =>
  progress ? topologyCondition(progress) : creatingTopology(session.blocking);

const carryOut = async (deps: Dependencies, cluster: Cluster, topology: Topology): Promise<Outcome> => {
  let session: HookSession | undefined;
  let plan: TopologyPlan | undefined;
  try {
    const found = await readBlueprint(deps, cluster, topology, (it) => knowVariables(deps, it));
    const blueprint = await settleBlueprint(deps.objects, cluster, found);
    const live = await readLive(deps.objects, blueprint);
    const now = deps.clock.now();
    plan = await planWithAnswers(deps, live.cluster, (known) => {
      session = new HookSession(live.cluster, known, now);
      return planTopology(blueprint, live, now, session);
    });
    const made = session as unknown as HookSession;
    await remember(deps, live.cluster, made.memory);
    await applyTopology(deps, cluster, plan.stages);
    return {
      condition: conditionOf(plan, made),
      mayBeDeleted: true,
      ...(plan.progress ? { progress: plan.progress } : {}),
    };
  } catch (error) {
    const progress = plan?.progress;
    return {
      condition: failedTopology(failureOf(error), error instanceof TopologyError ? error.reason : undefined),
      mayBeDeleted: true,
      ...(progress ? { progress } : {}),
      ...(session && !plan ? { memory: session.memory } : {}),
    };
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

const outcomeOf = async (deps: Dependencies, cluster: Cluster, topology: Topology): Promise<Outcome> => {
  if (isPaused(cluster)) {
    const byAnnotation = ANNOTATION.paused in (cluster.metadata.annotations ?? {});
    return { condition: pausedTopology(cluster.spec.paused === true, byAnnotation), mayBeDeleted: true };
  }
  return cluster.metadata.deletionTimestamp ? mayBeDeleted(deps, cluster) : carryOut(deps, cluster, topology);
};

/** All calls of a pass share its time; those for variables come before those for the plan. */
const withinTime = (deps: Dependencies): Dependencies =>
  deps.callExtension ? { ...deps, callExtension: withinBudget(deps, deps.callExtension) } : deps;

/** A Cluster after its topology was reconciled. */
export interface Reconciled {
  /** Undefined if it no longer exists. */
  cluster: Cluster | undefined;
  /** False if an extension blocks the deletion of a cluster. */
  mayBeDeleted: boolean;
}

/**
 * Creates and updates the objects of a cluster according to its topology, calls its extensions, and reports progress on
 * the Cluster. Errors in a topology, its class, its templates or an extension are reported in the condition
 * TopologyReconciled; existing objects are still reconciled.
 */
export const reconcileTopology = async (deps: Dependencies, cluster: Cluster): Promise<Reconciled> => {
  const { topology } = cluster.spec;
  if (!topology) return { cluster, mayBeDeleted: true };
  const outcome = await outcomeOf(withinTime(deps), cluster, topology);
  const written = await deps.objects.mutate(kinds.cluster, keyOf(cluster), (current) => ({
    ...(outcome.memory ? withHookMemory(current, outcome.memory) : current),
    status: statusOf(current, outcome, deps.clock.now()),
  }));
  return { cluster: written, mayBeDeleted: outcome.mayBeDeleted };
};
