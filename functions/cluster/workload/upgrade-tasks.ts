import { type Change, type UpgradeTask, UpgradeTaskRefusedError } from '../../../shared/distributions/upgrade-tasks.ts';
import { ConflictError } from '../../../shared/errors.ts';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { isDeleting } from '../../../shared/plan/control-plane/preflight.ts';
import {
  joinConfigurationClaim,
  joinsFirst,
  SYSTEM_ADDONS,
  systemAddonsClaim,
  type UpgradeTaskProblem,
} from '../../../shared/plan/control-plane/upgrade-tasks.ts';
import { type ConditionClaim, findCondition } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import {
  type AnyObject,
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import { controlPlaneFacts } from '../objects/control-plane/facts.ts';
import { readConfigs } from '../objects/control-plane/up-to-date.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';

type Client = Pick<WorkloadClient, 'read' | 'create' | 'replace'>;

/**
 * Updates the objects of the distribution in the workload cluster to match the control plane. Returns the conditions
 * for the control plane.
 */
export const runUpgradeTasks = async (
  deps: Pick<ProbeDependencies, 'objects' | 'clock'>,
  client: Client,
  snapshot: ClusterSnapshot,
): Promise<ConditionClaim[]> => {
  const { controlPlane, distribution } = snapshot;
  const upgradeTasks = distribution?.upgradeTasks;
  const isFormed = controlPlane?.status?.initialization?.controlPlaneInitialized === true;
  if (!upgradeTasks || !controlPlane || !isFormed) return [];
  if (controlPlane.metadata.deletionTimestamp || isObjectPaused(controlPlane)) return [];
  const facts = controlPlaneFacts(snapshot, await readConfigs(deps, snapshot), deps.clock.now());
  if (!facts) return [];
  if (facts.outdated.size > 0) {
    const waits = joinsFirst(controlPlane, facts.machines, deps.clock.now());
    if (waits) return [waits];
    const { problem } = await attempt(client, controlPlane, upgradeTasks.beforeRollout);
    return [joinConfigurationClaim(controlPlane, problem)];
  }
  const isWhole = facts.machines.length === (controlPlane.spec.replicas ?? 1) && !facts.machines.some(isDeleting);
  return isWhole ? keepAddons(client, controlPlane, upgradeTasks.afterRollout) : [];
};

/** Returns no condition if nothing had to be updated, and no update ever failed. */
const keepAddons = async (
  client: Client,
  controlPlane: ControlPlane,
  tasks: readonly UpgradeTask[],
): Promise<ConditionClaim[]> => {
  const outcomes: Outcome[] = [];
  for (const task of tasks) outcomes.push(await attempt(client, controlPlane, task));
  const problems = outcomes.flatMap(({ problem }) => (problem ? [problem] : []));
  const hasChanged = outcomes.some(({ changes }) => changes > 0);
  const isKnown = findCondition(controlPlane.status?.conditions, SYSTEM_ADDONS) !== undefined;
  return problems.length > 0 || hasChanged || isKnown ? [systemAddonsClaim(problems)] : [];
};

interface Outcome {
  changes: number;
  problem?: UpgradeTaskProblem;
}

/** Errors that the conditions report, so that passes repeat the work. */
const isReported = (error: unknown): error is Error =>
  error instanceof WorkloadRefusedError || error instanceof WorkloadUnreachableError || error instanceof ConflictError;

const attempt = async (client: Client, controlPlane: ControlPlane, task: UpgradeTask): Promise<Outcome> => {
  try {
    const found = await Promise.all(task.objects.map((object) => client.read(object)));
    const changes = task.plan(controlPlane, found);
    await carryOut(client, changes);
    return { changes: changes.length };
  } catch (error) {
    const refused = error instanceof UpgradeTaskRefusedError;
    if (!refused && !isReported(error)) throw error;
    return { changes: 0, problem: { refused, message: error.message } };
  }
};

const keyOf = ({ kind, metadata }: AnyObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** One after the other: each change of an object builds on the result of the previous one. */
const carryOut = async (client: Client, changes: readonly Change[]): Promise<void> => {
  const versions = new Map<string, unknown>();
  for (const change of changes) {
    if ('ensure' in change) {
      await client.create(change.ensure);
      continue;
    }
    const { replace: object } = change;
    const resourceVersion = versions.get(keyOf(object)) ?? object.metadata.resourceVersion;
    const written = await client.replace({ ...object, metadata: { ...object.metadata, resourceVersion } });
    versions.set(keyOf(object), written.metadata.resourceVersion);
  }
};
