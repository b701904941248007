import { isDeepStrictEqual } from 'node:util';
import { describeAwsError, translateAwsError } from '../../../../shared/aws/errors.ts';
import { BootstrapInvalidError } from '../../../../shared/bootstrap/invalid.ts';
import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSMachinePool, kinds, type MachinePool } from '../../../../shared/kinds/index.ts';
import { DONE, FAILED, type Progress } from '../../../../shared/plan/machines/waiting.ts';
import { areReplicasManaged } from '../../../../shared/plan/pools/digest.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { presentInstances } from '../../../../shared/providers/aws/machine-pool/instances.ts';
import { withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { ObservedGroup, PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { isActive, type ObservedPool, planPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { recordedTemplate } from '../../../../shared/providers/aws/machine-pool/record.ts';
import { type PoolPart, withProblem, withSeen } from '../../../../shared/providers/aws/machine-pool/status.ts';
import type { PoolInput, ProgressResult } from '../../../../shared/work/payloads.ts';
import { decideGroup, decideSubnets, decideTemplate, type PoolObjects } from './decide.ts';
import { inPoolScope, type PoolDependencies, type ScopedPoolDependencies } from './dependencies.ts';
import { ensureAwsMachines } from './machines.ts';
import { observePool } from './observe.ts';
import { perform } from './perform.ts';
import { type AwsPoolSnapshot, readAwsPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';
import { lookBriefly, rememberSettled, settledInputs } from './settled.ts';
import { waitForGroup } from './waiting.ts';

/** Longer than the longest wait between two looks. */
const LEASE_SECONDS = 420;

/** Makes a pool's launch template and its Auto Scaling group as the objects ask for, and writes down what the group has. */
export const reconcilePool =
  (scoped: ScopedPoolDependencies) =>
  async ({ pool: ref, holder, since }: PoolInput): Promise<ProgressResult> => {
    const { objects, work } = scoped;
    const snapshot = await readAwsPool(objects, ref);
    const { awsPool, awsCluster } = snapshot ?? {};
    if (!snapshot || !awsPool || !awsCluster || isHeldBack(snapshot)) return DONE;
    if (!(await work.extendMachine(ref, holder, LEASE_SECONDS))) return FAILED;
    const deps = await inPoolScope(scoped, { awsCluster });
    return converge(deps, { pool: snapshot.pool, awsPool, awsCluster }, since);
  };

const SOON: Progress = { progress: 'wait', waitSeconds: 1 };

/** A paused cluster may be on its way to another installation. */
const isHeldBack = ({ pool, cluster, awsPool }: AwsPoolSnapshot): boolean =>
  pool.metadata.deletionTimestamp !== undefined ||
  cluster === null ||
  isPaused(cluster) ||
  isObjectPaused(pool) ||
  (awsPool !== null && isObjectPaused(awsPool));

const converge = async (deps: PoolDependencies, objects: PoolObjects, since: string | undefined): Promise<Progress> => {
  const { pool, awsPool } = objects;
  const cluster = { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName };
  const inputs = await settledInputs(deps, objects);
  try {
    const seen = await lookBriefly(deps, cluster, objects, inputs);
    if (seen) return await writeDown(deps, objects, seen, since);
    const observed = await asProblem('ASGReady', () => observePool(deps, cluster, awsPool));
    return await act(deps, { ...objects, awsPool: await nameGroup(deps, objects, observed) }, observed, inputs, since);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await reportProblem(deps, awsPool, error);
    return FAILED;
  }
};

/** Does what is to be done, and writes down what there is then. */
const act = async (
  deps: PoolDependencies,
  objects: PoolObjects,
  observed: ObservedPool,
  inputs: string,
  since: string | undefined,
): Promise<Progress> => {
  const { pool, awsPool } = objects;
  const cluster = { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName };
  const actions = await planNow(deps, objects, observed);
  for (const action of actions) await performOne(deps, awsPool, observed, action);
  await rememberTags(deps, objects, observed, actions.length === 0);
  if (actions.length === 0 && observed.group && !isActive(observed.refresh)) {
    await rememberSettled(deps, objects, inputs);
  }
  const left = actions.length > 0 ? await observePool(deps, cluster, await reread(deps, awsPool)) : observed;
  const progress = await writeDown(deps, objects, left, since);
  // The rest of a plan follows from what the first part has made.
  return actions.length > 0 && progress.progress === 'done' ? SOON : progress;
};

/** The pool with the name of a group that was taken over, which nothing derives. */
const nameGroup = async (
  { objects }: PoolDependencies,
  { awsPool }: PoolObjects,
  { name }: ObservedPool,
): Promise<AWSMachinePool> => {
  if (name === groupNameOf(awsPool)) return awsPool;
  const change = (current: AWSMachinePool) => withGroupMemory(current, { name });
  return (await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), change)) ?? awsPool;
};

/**
 * Which tags users have asked for, so that those can be taken away that they no longer ask for. Those of before are
 * forgotten only when nothing is left to do.
 */
const rememberTags = async (
  { objects }: PoolDependencies,
  { awsPool, awsCluster }: PoolObjects,
  { tagKeys: before }: ObservedPool,
  isOver: boolean,
): Promise<void> => {
  const wanted = Object.keys({ ...awsCluster.spec.additionalTags, ...awsPool.spec?.additionalTags });
  const tagKeys = [...new Set([...wanted, ...(isOver ? [] : before)])].sort();
  if (isDeepStrictEqual(before, tagKeys)) return;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withGroupMemory(current, { tagKeys }));
};

/** The record that the actions have changed. */
const reread = async ({ objects }: PoolDependencies, awsPool: AWSMachinePool): Promise<AWSMachinePool> =>
  (await objects.get(kinds.awsMachinePool, keyOf(awsPool))) ?? awsPool;

const keyOf = ({ metadata }: AWSMachinePool) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

/** What only a person can correct, and the part of the pool that it concerns. */
class Problem extends Error {
  override readonly name = 'PoolProblem';
  readonly part: PoolPart;
  constructor(part: PoolPart, message: string) {
    super(message);
    this.part = part;
  }
}

const asProblem = async <T>(part: PoolPart, decide: () => Promise<T> | T): Promise<T> => {
  try {
    return await decide();
  } catch (error) {
    const known = translateAwsError(error);
    if (known instanceof BootstrapInvalidError) throw new Problem(part, known.message);
    if (!(known instanceof RefusedError || known instanceof MissingReferenceError)) throw error;
    throw new Problem(part, known instanceof MissingReferenceError ? known.message : describeAwsError(error));
  }
};

const planNow = async (deps: PoolDependencies, objects: PoolObjects, observed: ObservedPool): Promise<PoolAction[]> => {
  const subnetIds = await asProblem('ASGReady', () => decideSubnets(deps, objects));
  const template = await asProblem('LaunchTemplateReady', () => decideTemplate(deps, objects, subnetIds));
  const group = await asProblem('ASGReady', () => decideGroup(objects, template, subnetIds));
  return planPool({ pool: objects.awsPool, template, group, observed });
};

const performOne = (deps: PoolDependencies, awsPool: AWSMachinePool, observed: ObservedPool, action: PoolAction) => {
  const isTemplate = /template|version/.test(action.do);
  return asProblem(isTemplate ? 'LaunchTemplateReady' : 'ASGReady', () => perform({ deps, awsPool, observed }, action));
};

const reportProblem = async (deps: PoolDependencies, awsPool: AWSMachinePool, { part, message }: Problem) => {
  const now = deps.clock.now();
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withProblem(current, part, message, now),
  );
  const reason = part === 'ASGReady' ? 'FailedUpdate' : 'FailedLaunchTemplateReconcile';
  await poolRecorder(deps).warning(awsPool, reason, message);
};

/** The group decides on the number of instances: the MachinePool follows it. */
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
  group !== undefined &&
  !isActive(refresh) &&
  presentInstances(group).length === group.desired &&
  group.instances.every(({ state }) => state === 'InService' || state === 'Standby' || state.startsWith('Warmed'));

/** Writes down what the group has, and says whether to look again. */
const writeDown = async (
  deps: PoolDependencies,
  { pool, awsPool }: PoolObjects,
  observed: ObservedPool,
  since: string | undefined,
): Promise<Progress> => {
  const { objects, groups, clock } = deps;
  const { group, refresh } = observed;
  const now = clock.now();
  const complete = isComplete(observed);
  if (group) {
    await ensureAwsMachines(deps, pool, awsPool, group);
    await followGroup(deps, pool, group);
  }
  const lacks = group && !complete && presentInstances(group).length < group.desired;
  const failure = lacks ? await groups.latestFailure(group.name) : undefined;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withSeen(current, { group, template: recordedTemplate(current) ?? observed.latest, refresh, failure }, now),
  );
  return complete ? DONE : waitForGroup(since, now);
};
