import { describeAwsError, isDenied, isPermanent } from '../../../../shared/aws/errors.ts';
import { type AWSCluster, type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { DONE, FAILED, isOverdue, type Progress } from '../../../../shared/plan/machines/waiting.ts';
import { hasMemories } from '../../../../shared/plan/memory/memory.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import { readGroupMemory, withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { ObservedTemplate } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { isPools } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { recordedTemplate } from '../../../../shared/providers/aws/machine-pool/record.ts';
import { withProblem } from '../../../../shared/providers/aws/machine-pool/status.ts';
import { storedPlaces } from '../../../../shared/providers/aws/machine-pool/stored-data.ts';
import { claimsVolumes } from '../../../../shared/providers/aws/plan/garbage/volumes.ts';
import { AWS_MEMORY } from '../../../../shared/providers/aws/plan/memory.ts';
import { VISIBLE_SECONDS } from '../../../../shared/providers/aws/plan/visibility.ts';
import { type ClusterName, POOL_TAG } from '../../../../shared/providers/aws/tags.ts';
import type { PoolInput, ProgressResult } from '../../../../shared/work/payloads.ts';
import { withRemoval } from '../../../machine/removal.ts';
import { claimVolumes } from '../garbage/claim-volumes.ts';
import { IdentityError } from '../identity/identity-error.ts';
import { inPoolScope, type PoolDependencies, type ScopedPoolDependencies } from './dependencies.ts';
import { type FoundPool, findPool } from './observe.ts';
import { type AwsPoolSnapshot, readAwsPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';
import { rememberName } from './remember.ts';
import { waitForGroup } from './waiting.ts';

const LEASE_SECONDS = 420;

/**
 * Deletes a pool's Auto Scaling group with all its instances, and then its launch template; resources that do not
 * belong to the pool stay.
 */
export const removePool =
  (scoped: ScopedPoolDependencies) =>
  async ({ pool: ref, holder, since }: PoolInput): Promise<ProgressResult> => {
    const { objects, work } = scoped;
    const snapshot = await readAwsPool(objects, ref);
    if (!snapshot?.awsPool) return DONE;
    // The group stays, and so do the objects that represent it.
    if (snapshot.isHeldBack) return FAILED;
    const { awsPool } = snapshot;
    await work.extendMachine(ref, holder, LEASE_SECONDS);
    const progress = await removeAll(scoped, { ...snapshot, awsPool }, since);
    return withRemoval(work, { ref, holder }, awsPool, progress);
  };

const removeAll = async (
  scoped: ScopedPoolDependencies,
  { pool, awsPool, awsCluster, cluster: owner }: AwsPoolSnapshot & { awsPool: AWSMachinePool },
  since: string | undefined,
): Promise<ProgressResult> => {
  const deps = await scopeIfNeeded(scoped, { awsCluster }, awsPool);
  if (!deps) return DONE;
  const cluster = { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName };
  const found = await findPool(deps, cluster, awsPool);
  if (claimsVolumes(owner, awsCluster)) await claimAttached(deps, cluster, awsPool, found);
  const isLeft = await removeGroup(deps, cluster, awsPool, found);
  if (isLeft || (await isAwaited(deps, awsPool, found))) return waitLonger(since, deps.clock.now());
  await removeTemplate(deps, cluster, awsPool, found);
  if (awsCluster) await removeData(deps, awsCluster, awsPool);
  return DONE;
};

/** Undefined if the cluster's identity cannot be used but is not needed either, because nothing was ever created. */
const scopeIfNeeded = async (
  scoped: ScopedPoolDependencies,
  { awsCluster }: Pick<AwsPoolSnapshot, 'awsCluster'>,
  awsPool: AWSMachinePool,
): Promise<PoolDependencies | undefined> => {
  try {
    return await inPoolScope(scoped, { awsCluster });
  } catch (error) {
    const isUntouched = !awsPool.spec?.providerID && !hasMemories(AWS_MEMORY.pool, awsPool);
    if (error instanceof IdentityError && isUntouched) return undefined;
    throw error;
  }
};

/** Unlike the growth of a group, its deletion has no time limit. */
const waitLonger = (since: string | undefined, now: Date): Progress => {
  const next = waitForGroup(since, now);
  return next.progress === 'wait' ? next : { progress: 'wait', waitSeconds: 300 };
};

/** The part of a pool that is deleted. The conditions have no reasons for a deletion that fails; CAPA reports none. */
const PARTS = {
  group: { part: 'ASGReady', reason: 'ASGDeletionInProgress' },
  template: { part: 'LaunchTemplateReady' },
} as const;

/** A refusal is reported on the pool's own object as well as on its MachinePool, where the workflow reports it. */
const reportFailure = async <T>(
  deps: PoolDependencies,
  awsPool: AWSMachinePool,
  { what, part }: { what: string; part: keyof typeof PARTS },
  remove: () => Promise<T>,
): Promise<T> => {
  try {
    return await remove();
  } catch (error) {
    if (isPermanent(error)) {
      const message = `Failed to delete ${what}: ${describeAwsError(error)}`;
      await poolRecorder(deps).warning(awsPool, 'FailedDelete', message);
      const fault = { ...PARTS[part], message };
      await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
        withProblem(current, fault, deps.clock.now()),
      );
    }
    throw error;
  }
};

/** Volumes that outlive the group's instances are tagged, and deleted at the end of the cluster's deletion. */
const claimAttached = async (
  deps: PoolDependencies,
  cluster: ClusterName,
  awsPool: AWSMachinePool,
  { group }: FoundPool,
): Promise<void> => {
  if (!group || group.status || !isPools(cluster, awsPool, group.tags)) return;
  const ids = group.instances.map(({ id }) => id);
  const message = await claimVolumes(deps.volumes, cluster, ids);
  if (message) await poolRecorder(deps).normal(awsPool, 'SuccessfulTagVolumes', message);
};

/** Whether anything of the group is left. */
const removeGroup = async (
  deps: PoolDependencies,
  cluster: ClusterName,
  awsPool: AWSMachinePool,
  { name, group }: FoundPool,
): Promise<boolean> => {
  if (!group || !isPools(cluster, awsPool, group.tags)) return false;
  await rememberName(deps, awsPool, name);
  if (!group.status) {
    const removal = { what: `Auto Scaling group ${name}`, part: 'group' } as const;
    const message = `Deleted Auto Scaling group ${name} and its instances`;
    if (await reportFailure(deps, awsPool, removal, () => deps.groups.remove(name)))
      await poolRecorder(deps).normal(awsPool, 'SuccessfulDelete', message);
  }
  await reportGoing(deps, awsPool);
  return true;
};

/** Whether something of the pool that AWS does not show may have been created a short time ago. */
const isAwaited = async (deps: PoolDependencies, awsPool: AWSMachinePool, found: FoundPool): Promise<boolean> => {
  const { createdAt, templateRequestedAt, storingAt } = readGroupMemory(awsPool);
  const isRecent = (at: string | undefined) => at !== undefined && !isOverdue(at, VISIBLE_SECONDS, deps.clock.now());
  const awaited = [
    ...(!found.group && isRecent(createdAt) ? ['Auto Scaling group'] : []),
    ...(!found.template && isRecent(templateRequestedAt) ? ['launch template'] : []),
    ...(isRecent(storingAt) ? ['object with bootstrap data'] : []),
  ];
  if (awaited.length === 0) return false;
  await reportGoing(deps, awsPool, `The ${awaited.join(' and the ')} may have been created, and is not shown yet`);
  return true;
};

/** Reports that the group is being deleted. Without a `message` the group was found, and is no longer awaited. */
const reportGoing = async ({ objects, clock }: PoolDependencies, awsPool: AWSMachinePool, message?: string) => {
  const claim = { type: 'ASGReady', status: 'False', severity: 'Warning', reason: 'ASGDeletionInProgress' } as const;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => {
    const isKept = message !== undefined || !readGroupMemory(current).createdAt;
    const known = isKept ? current : (withGroupMemory(current, { createdAt: undefined }) ?? current);
    return withLegacyCondition(known, message ? { ...claim, message } : claim, clock.now());
  });
};

/**
 * Tags of Cluster API's AWS provider do not name the namespace of a cluster. A template without other tags may have been
 * taken over by a pool of another namespace, unless this pool has recorded it.
 */
const isPoolsTemplate = (
  cluster: ClusterName,
  awsPool: AWSMachinePool,
  { id, name, tags }: ObservedTemplate,
): boolean => {
  if (!isPools(cluster, awsPool, tags)) return false;
  const isRecorded = recordedTemplate(awsPool)?.id === id || readGroupMemory(awsPool).name === name;
  return isRecorded || tags[POOL_TAG] !== undefined;
};

const removeTemplate = async (
  deps: PoolDependencies,
  cluster: ClusterName,
  awsPool: AWSMachinePool,
  { name, template }: FoundPool,
): Promise<void> => {
  if (!template || !isPoolsTemplate(cluster, awsPool, template)) return;
  const removal = { what: `launch template ${name}`, part: 'template' } as const;
  await reportFailure(deps, awsPool, removal, () => deps.templates.remove(template.id));
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    readGroupMemory(current).templateRequestedAt
      ? withGroupMemory(current, { templateRequestedAt: undefined })
      : undefined,
  );
  await poolRecorder(deps).normal(awsPool, 'SuccessfulDelete', `Deleted launch template ${name} (${template.id})`);
};

/** The names contain the uid of the pool, so the data can only belong to the pool. */
const removeData = async (deps: PoolDependencies, awsCluster: AWSCluster, awsPool: AWSMachinePool): Promise<void> => {
  for (const place of storedPlaces(awsCluster, awsPool)) {
    try {
      await deps.bootstrapObjects.delete(place);
      const message = `Deleted the bootstrap data s3://${place.bucket}/${place.key}`;
      await poolRecorder(deps).normal(awsPool, 'SuccessfulDeleteBootstrapObject', message);
    } catch (error) {
      // If Windlass may not delete it, the user has decided that it stays.
      if (!awsCluster.spec.s3Bucket?.bestEffortDeleteObjects || !isDenied(error)) throw error;
    }
  }
};
