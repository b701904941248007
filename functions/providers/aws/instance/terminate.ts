import { describeAwsError, isPermanent } from '../../../../shared/aws/errors.ts';
import { type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { DONE, isOverdue, waitForRemoval } from '../../../../shared/plan/machines/waiting.ts';
import { hasMemories } from '../../../../shared/plan/memory/memory.ts';
import { claimsVolumes } from '../../../../shared/providers/aws/plan/garbage/volumes.ts';
import { wantsHost } from '../../../../shared/providers/aws/plan/launch/host.ts';
import { withTerminationFailed } from '../../../../shared/providers/aws/plan/launch/instance.ts';
import {
  lastSent,
  readRecordedLaunch,
  unansweredSince,
} from '../../../../shared/providers/aws/plan/launch/recorded.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { AWS_MEMORY } from '../../../../shared/providers/aws/plan/memory.ts';
import { GROUP_TAG, identityOf } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import { isUntouched } from '../../../../shared/providers/aws/plan/ownership/untouched.ts';
import { VISIBLE_SECONDS } from '../../../../shared/providers/aws/plan/visibility.ts';
import { fromTagList } from '../../../../shared/providers/aws/tags.ts';
import type { MachineInput, ProgressResult } from '../../../../shared/work/payloads.ts';
import { withRemoval } from '../../../machine/removal.ts';
import { deleteBootstrapRemains, deleteLateData } from '../bootstrap-remains.ts';
import { claimVolumes } from '../garbage/claim-volumes.ts';
import { IdentityError } from '../identity/identity-error.ts';
import { type AwsMachineSnapshot, readAwsMachine } from '../read-machine.ts';
import { unbindAddresses } from './address.ts';
import { type InstanceDependencies, inScope, type ScopedInstanceDependencies } from './dependencies.ts';
import { findMadeElsewhere } from './find-made-elsewhere.ts';
import { releaseHosts } from './host.ts';
import { record } from './launch.ts';
import { type Instance, isOwn, refuseForeign } from './ownership.ts';
import { recorder } from './reasons.ts';
import { reportRefusal, reportWaiting } from './report-removal.ts';

const LEASE_SECONDS = 120;

/**
 * Terminates the instance, deletes its secrets, and returns whether it is gone. Safe in any state of a launch. An
 * instance that does not belong to the machine is left alone and does not block the deletion. A call that AWS refuses
 * is in the condition Deleting; throws the error.
 */
export const terminateInstance =
  (scoped: ScopedInstanceDependencies) =>
  async ({ machine: ref, holder }: MachineInput): Promise<ProgressResult> => {
    const { objects, work } = scoped;
    const snapshot = await readAwsMachine(objects, ref);
    if (!snapshot) return DONE;
    await work.extendMachine(ref, holder, LEASE_SECONDS);
    const progress = await reportingRefusals(scoped, ref, () => removeInstance(scoped, snapshot, ref));
    return withRemoval(work, { ref, holder }, snapshot.awsMachine, progress);
  };

const reportingRefusals = async <T>(
  scoped: ScopedInstanceDependencies,
  ref: MachineInput['machine'],
  remove: () => Promise<T>,
): Promise<T> => {
  try {
    return await remove();
  } catch (error) {
    if (isPermanent(error)) await reportRefusal(scoped, ref, error);
    throw error;
  }
};

const removeInstance = async (
  scoped: ScopedInstanceDependencies,
  snapshot: AwsMachineSnapshot,
  ref: MachineInput['machine'],
): Promise<ProgressResult> => {
  const deps = await scopeIfNeeded(scoped, snapshot);
  await deleteInfrastructure(scoped, snapshot);
  if (!deps) return DONE;
  await deleteBootstrapRemains({ ...deps, component: 'machine-instance' }, snapshot);
  const since = removedSince(snapshot);
  const ids = await findInstances(deps, snapshot);
  if (ids === 'unknown') {
    await reportWaiting(deps, ref, 'EC2 may not show yet what was created in its last launch');
    return waitForRemoval(since, deps.clock.now());
  }
  const ended = await terminateAll(deps, snapshot, ref, ids);
  const left = ended.filter(({ state }) => !OVER.has(state)).map(({ id }) => id);
  const own = ended.filter(({ state }) => state !== 'foreign').map(({ id }) => id);
  const why =
    left.length > 0
      ? `instance ${left.join(', ')} is not terminated yet`
      : ((await releaseRest(deps, snapshot, own)) ?? (await deleteLateData(deps, snapshot)));
  if (!why) return DONE;
  await reportWaiting(deps, ref, why);
  return waitForRemoval(since, deps.clock.now());
};

/**
 * The time since when the instance is being removed; undefined in the first check. The AWSMachine is deleted when the
 * machine has left its cluster, which may be long after the Machine was deleted.
 */
const removedSince = ({ machine, awsMachine: infrastructure }: AwsMachineSnapshot): string | undefined =>
  (infrastructure ?? machine).metadata.deletionTimestamp;

/**
 * The states of instances that need no further action; `absent`: EC2 does not know the instance, and it will not
 * appear.
 */
const OVER: ReadonlySet<string> = new Set(['terminated', 'absent', 'foreign']);

interface Ended {
  id: string;
  /** EC2's name for the resulting state of the instance, or `absent` or `foreign`. */
  state: string;
}

/**
 * Terminates the instances. If the recorded instance does not belong to the machine or is unknown, its id may have been
 * changed: then those with the machine's tag are terminated as well.
 */
const terminateAll = async (
  deps: InstanceDependencies,
  snapshot: AwsMachineSnapshot,
  ref: MachineInput['machine'],
  ids: readonly string[],
): Promise<Ended[]> => {
  const end = async (id: string): Promise<Ended> => ({ id, state: await terminate(deps, snapshot, ref, id) });
  const ended = await Promise.all(ids.map(end));
  if (!ended.some(({ state }) => state === 'foreign' || state === 'absent')) return ended;
  const others = (await findTagged(deps, snapshot.machine)).filter((id) => !ids.includes(id));
  return [...ended, ...(await Promise.all(others.map(end)))];
};

/**
 * Whether the machine cannot have any resources in AWS, because its cluster was never started and it was never
 * launched.
 */
const wasNeverLaunched = ({ awsCluster, awsMachine: infrastructure }: AwsMachineSnapshot): boolean => {
  if (!awsCluster || !isUntouched(awsCluster)) return false;
  if (!infrastructure) return true;
  const { instanceID, providerID, cloudInit } = infrastructure.spec;
  return !(instanceID || providerID || cloudInit?.secretPrefix) && !hasMemories(AWS_MEMORY.machine, infrastructure);
};

/** Undefined if the cluster's identity cannot be used but is not needed either. */
const scopeIfNeeded = async (
  scoped: ScopedInstanceDependencies,
  snapshot: AwsMachineSnapshot,
): Promise<InstanceDependencies | undefined> => {
  try {
    return await inScope(scoped, snapshot);
  } catch (error) {
    if (error instanceof IdentityError && wasNeverLaunched(snapshot)) return undefined;
    throw error;
  }
};

/** From here on, nothing blocks the machine any more: a deleted AWSMachine is not drained. */
const deleteInfrastructure = async (
  { objects }: Pick<InstanceDependencies, 'objects'>,
  { awsMachine: infrastructure }: AwsMachineSnapshot,
) => {
  if (!infrastructure || infrastructure.metadata.deletionTimestamp) return;
  await objects.delete(kinds.awsMachine, infrastructure);
};

/** The instances that have the machine's tag and belong to it. */
const findTagged = async ({ ec2 }: Pick<InstanceDependencies, 'ec2'>, machine: Machine): Promise<string[]> => {
  const found = await ec2.findByTag(MACHINE_UID_TAG, machine.metadata.uid ?? '');
  return found.flatMap((one) => (one.InstanceId && isOwn(machine, one) ? [one.InstanceId] : []));
};

/**
 * The instances of a machine: the recorded one, or those with the machine's tag if the response to the launch was lost
 * or the AWSMachine was removed despite its finalizer. `unknown` while the instance of a launch that EC2 has not
 * answered, or the host of a launch, may still appear.
 */
const findInstances = async (
  { ec2, clock }: InstanceDependencies,
  { machine, awsMachine: infrastructure }: AwsMachineSnapshot,
): Promise<string[] | 'unknown'> => {
  if (!infrastructure) return findTagged({ ec2 }, machine);
  const recorded = infrastructure.spec.instanceID;
  if (recorded) return [recorded];
  const launch = readRecordedLaunch(infrastructure);
  if (!launch) {
    const left = await findMadeElsewhere({ ec2 }, machine, infrastructure);
    return left.flatMap(({ InstanceId }) => InstanceId ?? []);
  }
  const ids = await findTagged({ ec2 }, machine);
  // A host is allocated before the launch that EC2 may refuse.
  const since = unansweredSince(launch) ?? (wantsHost(infrastructure) ? lastSent(launch) : undefined);
  const mayShowUp = since !== undefined && !isOverdue(since, VISIBLE_SECONDS, clock.now());
  return ids.length === 0 && mayShowUp ? 'unknown' : ids;
};

/** Terminates one instance, and returns its state (see Ended). */
const terminate = async (
  deps: InstanceDependencies,
  snapshot: AwsMachineSnapshot,
  ref: MachineInput['machine'],
  id: string,
): Promise<string> => {
  const { machine, awsMachine: infrastructure } = snapshot;
  const { ec2, clock } = deps;
  const before = await ec2.describe(id);
  if (before && !isOwn(machine, before)) {
    if (infrastructure) await refuseForeign(deps, machine, infrastructure, id);
    return 'foreign';
  }
  const launch = infrastructure ? readRecordedLaunch(infrastructure) : undefined;
  const isTooNew = launch !== undefined && !isOverdue(lastSent(launch), VISIBLE_SECONDS, clock.now());
  const state = before?.State?.Name ?? (isTooNew ? 'pending' : 'absent');
  if (OVER.has(state) || state === 'shutting-down') {
    if (before && infrastructure) await record(deps, ref, before, { machine, infrastructure });
    return state;
  }
  await endWait(deps, before);
  if (before) await claimAttached(deps, snapshot, id);
  await requestTermination(deps, infrastructure, id);
  if (infrastructure) await recorder(deps).normal(infrastructure, 'SuccessfulTerminate', `Terminated instance ${id}`);
  return 'shutting-down';
};

/** A refusal is reported with upstream's reasons (CAPA controllers/awsmachine_controller.go). */
const requestTermination = async (
  deps: InstanceDependencies,
  infrastructure: AWSMachine | null,
  id: string,
): Promise<void> => {
  try {
    await deps.ec2.terminate(id);
  } catch (error) {
    if (infrastructure && isPermanent(error)) {
      const message = `Failed to terminate instance ${id}: ${describeAwsError(error)}`;
      await recorder(deps).warning(infrastructure, 'FailedTerminate', message);
      const { namespace = '', name, uid } = infrastructure.metadata;
      await deps.objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
        current.metadata.uid === uid ? withTerminationFailed(current, message, deps.clock.now()) : undefined,
      );
    }
    throw error;
  }
};

/** Volumes that outlive the instance are tagged, and deleted at the end of the cluster's deletion. */
const claimAttached = async (
  deps: InstanceDependencies,
  { machine, awsMachine: infrastructure, cluster, awsCluster }: AwsMachineSnapshot,
  id: string,
): Promise<void> => {
  if (!claimsVolumes(cluster, awsCluster)) return;
  const message = await claimVolumes(deps.ec2, identityOf(machine).cluster, [id]);
  if (message && infrastructure) await recorder(deps).normal(infrastructure, 'SuccessfulTagVolumes', message);
};

/** Completes the lifecycle action if a group waits for the drain of an instance. */
const endWait = async ({ waits }: InstanceDependencies, before: Instance | undefined): Promise<void> => {
  const group = fromTagList(before?.Tags)[GROUP_TAG];
  if (group && before?.InstanceId) await waits.end(group, before.InstanceId);
};

/**
 * Deletes the resources that belong to the instance after the instance itself; without an AWSMachine, those that have
 * the machine's tags. Returns those that are left.
 */
const releaseRest = async (
  deps: InstanceDependencies,
  { machine, awsMachine: infrastructure }: AwsMachineSnapshot,
  ids: readonly string[],
): Promise<string | undefined> => {
  const objects = { machine, infrastructure };
  if (!(await unbindAddresses(deps, objects, ids)))
    return `the Elastic IP address of instance ${ids.join(', ')} is not released yet`;
  return (await releaseHosts(deps, objects)) ? undefined : 'its dedicated host is not released yet';
};
