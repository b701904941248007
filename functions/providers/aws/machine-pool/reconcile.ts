import { describeAwsError, translateAwsError } from '../../../../shared/aws/errors.ts';
import { BootstrapInvalidError } from '../../../../shared/bootstrap/invalid.ts';
import { MissingReferenceError, QuotaExceededError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSMachinePool, kinds, type MachinePool } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { DONE, FAILED, type Progress } from '../../../../shared/plan/machines/waiting.ts';
import { areReplicasManaged } from '../../../../shared/plan/pools/digest.ts';
import { count } from '../../../../shared/plan/words.ts';
import { enclaveProblem } from '../../../../shared/providers/aws/machine-pool/enclaves.ts';
import { presentInstances } from '../../../../shared/providers/aws/machine-pool/instances.ts';
import { withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { ObservedGroup, PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { isActive, type ObservedPool, planPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { recordedTemplate } from '../../../../shared/providers/aws/machine-pool/record.ts';
import {
  type PoolFault,
  withInstances,
  withProblem,
  withSeen,
} from '../../../../shared/providers/aws/machine-pool/status.ts';
import type { PoolInput, ProgressResult } from '../../../../shared/work/payloads.ts';
import { type DecidedTemplate, decideGroup, decideSubnets, decideTemplate, type PoolObjects } from './decide.ts';
import { inPoolScope, type PoolDependencies, type ScopedPoolDependencies } from './dependencies.ts';
import { ensureAwsMachines } from './machines.ts';
import { observePool } from './observe.ts';
import { perform } from './perform.ts';
import { type AwsPoolSnapshot, readAwsPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';
import { rememberCancellation, rememberTags, rememberTemplate, rememberWarmPool } from './remember.ts';
import { lookBriefly, rememberSettled, settledInputs } from './settled.ts';
import { waitForGroup, waitForRest } from './waiting.ts';
import { withinQuota } from './within-quota.ts';

/** Longer than the longest wait between two checks. */
const LEASE_SECONDS = 420;

/** Creates or updates a pool's launch template and its Auto Scaling group, and records the group's state. */
export const reconcilePool =
  (scoped: ScopedPoolDependencies) =>
  async ({ pool: ref, holder, since }: PoolInput): Promise<ProgressResult> => {
    const { objects, work } = scoped;
    const snapshot = await readAwsPool(objects, ref);
    const { awsPool, awsCluster } = snapshot ?? {};
    // Nothing was compared, so nothing may be recorded as reached.
    if (!snapshot || !awsPool || !awsCluster || isOver(snapshot)) return FAILED;
    if (!(await work.extendMachine(ref, holder, LEASE_SECONDS))) return FAILED;
    const deps = await inPoolScope(scoped, { awsCluster });
    return converge(deps, { pool: snapshot.pool, awsPool, awsCluster }, since);
  };

/** A paused cluster may be moving to another installation; the group of a deleted pool is deleted. */
const isOver = ({ pool, cluster, awsPool, isHeldBack }: AwsPoolSnapshot): boolean =>
  isHeldBack ||
  cluster === null ||
  pool.metadata.deletionTimestamp !== undefined ||
  awsPool?.metadata.deletionTimestamp !== undefined;

const converge = async (deps: PoolDependencies, objects: PoolObjects, since: string | undefined): Promise<Progress> => {
  const { pool, awsPool } = objects;
  const cluster = { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName };
  const inputs = await settledInputs(deps, objects);
  let observed: ObservedPool | undefined;
  try {
    const seen = await lookBriefly(deps, cluster, objects, inputs);
    // Nothing was left to do when the hooks were last compared.
    if (seen) return await writeDown(deps, objects, { observed: seen, hooksReady: true }, since);
    observed = await asProblem({ part: 'ASGReady' }, () => observePool(deps, cluster, awsPool));
    return await act(deps, { ...objects, awsPool: await nameGroup(deps, objects, observed) }, observed, inputs, since);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await reportProblem(deps, objects, error, observed?.group);
    return FAILED;
  }
};

/** Carries out the plan, and records the result. */
const act = async (
  deps: PoolDependencies,
  objects: PoolObjects,
  found: ObservedPool,
  inputs: string,
  since: string | undefined,
): Promise<Progress> => {
  const { pool } = objects;
  const cluster = { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName };
  await rememberWarmPool(deps, objects, found);
  const wanted = await decideNow(deps, objects);
  const { awsPool, observed } = await rememberTemplate(deps, objects, found, wanted.template);
  const { group, refused } = await withinQuota(deps, objects, wanted.group, observed.group);
  const actions = planPool({ pool: awsPool, template: wanted.template, group, observed });
  await rememberCancellation(deps, objects, observed, actions);
  for (const action of actions) await performOne(deps, awsPool, observed, action);
  // A plan that waits for the end of a refresh, or of the group's deletion, has not compared the rest.
  const isSettled = actions.length === 0 && isStaying(observed.group) && !isActive(observed.refresh);
  await rememberTags(deps, objects, observed, isSettled);
  if (isSettled) await rememberSettled(deps, objects, inputs);
  const left = actions.length > 0 ? await observePool(deps, cluster, await reread(deps, awsPool)) : observed;
  const progress = await writeDown(deps, objects, { observed: left, hooksReady: isSettled, refused }, since);
  if (actions.length === 0 || progress.progress !== 'done') return progress;
  return waitForRest(actions, since, deps.clock.now());
};

/**
 * Reports that the existing group had no record: it came from another installation, or the record of its creation was
 * lost.
 */
const reportTakeover = (
  deps: PoolDependencies,
  awsPool: AWSMachinePool,
  { name, template, group }: ObservedPool,
): Promise<void> => {
  const instances = group ? presentInstances(group).length : 0;
  const what = [
    ...(group ? [`Auto Scaling group ${name} with ${count(instances, 'instance')}`] : []),
    ...(template ? [`launch template ${name} (${template.id})`] : []),
  ];
  return poolRecorder(deps).normal(awsPool, 'GroupTakenOver', `Took over ${what.join(' and ')}`);
};

/** Records the name of an adopted group in the pool, because it cannot be derived. */
const nameGroup = async (
  deps: PoolDependencies,
  { awsPool }: PoolObjects,
  observed: ObservedPool,
): Promise<AWSMachinePool> => {
  const { name, template, group } = observed;
  if (!recordedTemplate(awsPool) && (template || group)) await reportTakeover(deps, awsPool, observed);
  if (name === groupNameOf(awsPool)) return awsPool;
  const change = (current: AWSMachinePool) => withGroupMemory(current, { name });
  return (await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), change)) ?? awsPool;
};

/** Reads the record again, because the actions have changed it. */
const reread = async ({ objects }: PoolDependencies, awsPool: AWSMachinePool): Promise<AWSMachinePool> =>
  (await objects.get(kinds.awsMachinePool, keyOf(awsPool))) ?? awsPool;

/** A problem that only a user can correct, with the part of the pool concerned. */
class Problem extends Error {
  override readonly name = 'PoolProblem';
  readonly fault: PoolFault;
  constructor(fault: PoolFault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Place = Omit<PoolFault, 'message'>;

const asProblem = async <T>(place: Place, decide: () => Promise<T> | T): Promise<T> => {
  try {
    return await decide();
  } catch (error) {
    const known = translateAwsError(error);
    if (known instanceof RefusedError || known instanceof QuotaExceededError)
      throw new Problem({ ...place, message: describeAwsError(error) });
    if (known instanceof BootstrapInvalidError || known instanceof MissingReferenceError)
      throw new Problem({ ...place, message: known.message });
    throw error;
  }
};

/** The desired state of the pool. */
const decideNow = async (deps: PoolDependencies, objects: PoolObjects) => {
  const subnetIds = await asProblem({ part: 'ASGReady' }, () => decideSubnets(deps, objects));
  const enclaves = enclaveProblem(objects.awsPool, objects.awsCluster, subnetIds);
  if (enclaves) throw new Problem({ ...NO_ENCLAVES, message: enclaves });
  const decided = await asProblem({ part: 'LaunchTemplateReady' }, () => decideTemplate(deps, objects, subnetIds));
  await noteImage(deps, objects.awsPool, decided);
  const { template } = decided;
  const group = await asProblem({ part: 'ASGReady' }, () => decideGroup(objects, template, subnetIds));
  return { template, group };
};

/** Records the image that the pool's lookup found, and reports if it no longer finds one. */
const noteImage = async (deps: PoolDependencies, awsPool: AWSMachinePool, { image, warning }: DecidedTemplate) => {
  if (warning) await poolRecorder(deps).warning(awsPool, 'ImageNotFound', warning);
  if (!image || !withGroupMemory(awsPool, { image })) return;
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withGroupMemory(current, { image }));
};

const NO_ENCLAVES: Place = { part: 'LaunchTemplateReady', reason: 'NitroEnclaveEdgeZoneUnsupported' };

/** The part of a pool that an action changes, with CAPA's reason for a refusal. */
const placeOf = (action: PoolAction, { hooks }: ObservedPool): Place => {
  switch (action.do) {
    case 'create-template':
    case 'create-version':
    case 'delete-versions':
      return { part: 'LaunchTemplateReady' };
    case 'put-hook': {
      const isThere = hooks.some(({ LifecycleHookName }) => LifecycleHookName === action.hook.LifecycleHookName);
      return {
        part: 'LifecycleHookReady',
        reason: isThere ? 'LifecycleHookUpdateFailed' : 'LifecycleHookCreationFailed',
      };
    }
    case 'delete-hook':
      return { part: 'LifecycleHookReady', reason: 'LifecycleHookDeletionFailed' };
    case 'start-refresh':
    case 'cancel-refresh':
      return { part: 'PostLaunchTemplateUpdateOperationSuccess' };
    default:
      return { part: 'ASGReady' };
  }
};

const performOne = (deps: PoolDependencies, awsPool: AWSMachinePool, observed: ObservedPool, action: PoolAction) =>
  asProblem(placeOf(action, observed), () => perform({ deps, awsPool, observed }, action));

const EVENTS = {
  ASGReady: 'FailedUpdate',
  LaunchTemplateReady: 'FailedLaunchTemplateReconcile',
  LifecycleHookReady: 'FailedLifecycleHooksReconcile',
  PostLaunchTemplateUpdateOperationSuccess: 'FailedLaunchTemplateReconcile',
} as const;

/**
 * Reports a problem, but still records the instances: a leaving instance waits until its Machine has been drained, and
 * only this record leads to that Machine's deletion.
 */
const reportProblem = async (
  deps: PoolDependencies,
  { pool, awsPool }: PoolObjects,
  { fault }: Problem,
  group: ObservedGroup | undefined,
) => {
  const now = deps.clock.now();
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withProblem(group ? withInstances(current, group) : current, fault, now),
  );
  await poolRecorder(deps).warning(awsPool, EVENTS[fault.part], fault.message);
  if (group) await ensureAwsMachines(deps, pool, awsPool, group);
};

/** Whether the group exists and is not being deleted. */
const isStaying = (group: ObservedGroup | undefined): group is ObservedGroup =>
  group !== undefined && group.status === undefined;

/** If the group decides on the number of instances, the MachinePool takes it over. */
const followGroup = async (
  { objects }: PoolDependencies,
  pool: MachinePool,
  { desired }: ObservedGroup,
): Promise<void> => {
  if (!areReplicasManaged(pool) || pool.spec.replicas === desired) return;
  const key = { namespace: pool.metadata.namespace ?? '', name: pool.metadata.name };
  await objects.mutate(kinds.machinePool, key, (current) =>
    areReplicasManaged(current) ? { ...current, spec: { ...current.spec, replicas: desired } } : undefined,
  );
};

const isComplete = ({ group, refresh }: ObservedPool): boolean =>
  isStaying(group) &&
  !isActive(refresh) &&
  !group.warm?.status &&
  presentInstances(group).length === group.desired &&
  group.instances.every(({ state }) => state === 'InService' || state === 'Standby' || state.startsWith('Warmed'));

/** Records the group's state, and returns whether to check again. */
const writeDown = async (
  deps: PoolDependencies,
  { pool, awsPool }: PoolObjects,
  { observed, hooksReady, refused }: { observed: ObservedPool; hooksReady: boolean; refused?: string | undefined },
  since: string | undefined,
): Promise<Progress> => {
  const { objects, groups, clock } = deps;
  const { group, refresh } = observed;
  const now = clock.now();
  const complete = isComplete(observed);
  const hasEnded = group ? await ensureAwsMachines(deps, pool, awsPool, group) : false;
  if (isStaying(group)) await followGroup(deps, pool, group);
  const lacks = group && !complete && presentInstances(group).length < group.desired;
  const failure = (lacks ? await groups.latestFailure(group.name) : undefined) ?? refused;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withSeen(
      current,
      { group, template: recordedTemplate(current) ?? observed.latest, refresh, failure, hooksReady },
      now,
    ),
  );
  return complete && !hasEnded ? DONE : waitForGroup(since, now);
};
