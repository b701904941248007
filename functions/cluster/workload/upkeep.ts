import type { ControlPlane } from '../../../shared/distributions/objects.ts';
import { type Change, UpkeepRefusedError, type UpkeepTask } from '../../../shared/distributions/upkeep.ts';
import { ConflictError } from '../../../shared/errors.ts';
import { joinConfigurationClaim } from '../../../shared/plan/control-plane/upkeep.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import { type AnyObject, type WorkloadClient, WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { controlPlaneFacts } from '../objects/control-plane-facts.ts';
import { readConfigs } from '../objects/up-to-date.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './probe.ts';

type Client = Pick<WorkloadClient, 'read' | 'create' | 'replace'>;

/**
 * Keeps in step with the control plane what its distribution has in the workload cluster. Returns what to say of it on
 * the control plane. Throws WorkloadUnreachableError.
 */
export const keepUp = async (
  deps: Pick<ProbeDependencies, 'objects' | 'clock'>,
  client: Client,
  snapshot: ClusterSnapshot,
): Promise<ConditionClaim[]> => {
  const { controlPlane, distribution } = snapshot;
  const upkeep = distribution?.upkeep;
  const isFormed = controlPlane?.status?.initialization?.controlPlaneInitialized === true;
  if (!upkeep || !controlPlane || !isFormed || controlPlane.metadata.deletionTimestamp) return [];
  const facts = controlPlaneFacts(snapshot, await readConfigs(deps, snapshot), deps.clock.now());
  if (!facts || facts.outdated.size === 0) return [];
  return [joinConfigurationClaim(controlPlane, await attempt(client, controlPlane, upkeep.beforeRollout))];
};

/** Why a task is not done, in words; undefined when it is. */
const attempt = async (client: Client, controlPlane: ControlPlane, task: UpkeepTask): Promise<string | undefined> => {
  try {
    const found = await Promise.all(task.objects.map((object) => client.read(object)));
    await carryOut(client, task.plan(controlPlane, found));
    return undefined;
  } catch (error) {
    const isExpected =
      error instanceof UpkeepRefusedError || error instanceof WorkloadRefusedError || error instanceof ConflictError;
    if (!isExpected) throw error;
    return error.message;
  }
};

const keyOf = ({ kind, metadata }: AnyObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** One after the other; each change of an object is made to what the one before has left. */
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
