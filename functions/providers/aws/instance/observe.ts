import type { AWSMachine } from '../../../../shared/kinds/index.ts';
import { DONE, FAILED, isOverdue, waitFrom } from '../../../../shared/plan/machines/waiting.ts';
import { wantsAddress } from '../../../../shared/providers/aws/plan/launch/address.ts';
import { lastSent, readRecordedLaunch } from '../../../../shared/providers/aws/plan/launch/recorded.ts';
import { VISIBLE_SECONDS } from '../../../../shared/providers/aws/plan/visibility.ts';
import type { MachineInput, ProgressResult } from '../../../../shared/work/payloads.ts';
import { isLaunchHeld } from '../../../machine/launch-held.ts';
import { type AwsMachineSnapshot, readAwsMachine } from '../read-machine.ts';
import { bindAddress } from './address.ts';
import { type InstanceDependencies, inScope, type ScopedInstanceDependencies } from './dependencies.ts';
import { releaseHosts } from './host.ts';
import { record } from './launch.ts';
import { isOwn, refuseForeign } from './ownership.ts';

const LEASE_SECONDS = 120;

/** Checks whether the instance runs. If it never will, gives up and reports the state on the objects. */
export const observeInstance =
  (scoped: ScopedInstanceDependencies) =>
  async ({ machine: ref, holder }: MachineInput): Promise<ProgressResult> => {
    const { objects, work } = scoped;
    const snapshot = await readAwsMachine(objects, ref);
    if (!snapshot?.awsMachine || snapshot.machine.metadata.deletionTimestamp) return FAILED;
    const { awsMachine: infrastructure } = snapshot;
    // Nothing was launched because of a pause: a later pass starts again.
    if (!infrastructure.spec.instanceID && isLaunchHeld(snapshot, infrastructure)) return FAILED;
    if (!(await work.extendMachine(ref, holder, LEASE_SECONDS))) return FAILED;
    return look(await inScope(scoped, snapshot), snapshot, infrastructure, ref);
  };

const look = async (
  deps: InstanceDependencies,
  { machine, awsCluster }: AwsMachineSnapshot,
  infrastructure: AWSMachine,
  ref: MachineInput['machine'],
): Promise<ProgressResult> => {
  const now = deps.clock.now();
  const { instanceID = '' } = infrastructure.spec;
  const launch = readRecordedLaunch(infrastructure);
  // An instance of a group has no recorded launch here.
  const since = launch ? lastSent(launch) : infrastructure.metadata.creationTimestamp;
  const instance = await deps.ec2.describe(instanceID);
  if (instance && !isOwn(machine, instance)) {
    await refuseForeign(deps, machine, infrastructure, instanceID);
    return FAILED;
  }
  if (!instance && isOverdue(since, VISIBLE_SECONDS, now)) {
    await record(deps, ref, { InstanceId: instanceID, State: { Name: 'terminated' } }, { machine, infrastructure });
    return FAILED;
  }
  const state = instance?.State?.Name ?? 'pending';
  if (!instance || state === 'pending') return waitFrom(since, now);
  // Releases a host that was allocated for an earlier attempt and was not visible then.
  if (state === 'running') await releaseHosts(deps, { machine, infrastructure }, instance.Placement?.HostId);
  if (state === 'running' && awsCluster && wantsAddress(infrastructure)) {
    const isBound = await bindAddress(deps, { machine, infrastructure, awsCluster }, instance);
    if (!isBound) return waitFrom(since, now);
    // The address was associated after the instance was described.
    const [bound = instance] = await deps.ec2.describeAll([instanceID]);
    await record(deps, ref, bound, { machine, infrastructure });
    return DONE;
  }
  await record(deps, ref, instance, { machine, infrastructure });
  return state === 'running' ? DONE : FAILED;
};
