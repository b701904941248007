/**
 * The Dedicated Host of a machine: allocated before its instance is launched, and released when the instance is gone.
 */

import { describeAwsError } from '../../../../shared/aws/errors.ts';
import { RefusedError } from '../../../../shared/errors.ts';
import { type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import { chooseHost, type HeldHost, hostTags, wantsHost } from '../../../../shared/providers/aws/plan/launch/host.ts';
import { instanceTags } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { identityOf } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { LaunchObjects } from './decide.ts';
import type { InstanceDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';
import type { DecidedLaunch } from './recorded-launch.ts';

const uidOf = ({ metadata }: Machine): string => metadata.uid ?? '';

/** Releases a host. False, with the reason on the AWSMachine, if EC2 does not release it, or not yet. */
const release = async (deps: InstanceDependencies, infrastructure: AWSMachine | null, id: string): Promise<boolean> => {
  const refused = await deps.ec2.releaseHost(id);
  if (!infrastructure) return !refused;
  if (!refused) {
    await recorder(deps).normal(infrastructure, 'SuccessfulReleaseHost', `Released dedicated host ${id}`);
    return true;
  }
  const message = `Failed to release dedicated host ${id}: ${refused}`;
  await recorder(deps).warning(infrastructure, 'FailedReleaseHost', message);
  const claim = {
    type: 'DedicatedHostRelease',
    status: 'False',
    severity: 'Error',
    reason: 'DedicatedHostReleaseFailed',
    message,
  } as const;
  await deps.objects.mutate(kinds.awsMachine, keyOf(infrastructure), (current) =>
    withLegacyCondition(current, claim, deps.clock.now()),
  );
  return false;
};

const allocate = async (
  deps: InstanceDependencies,
  { machine, infrastructure, awsCluster }: LaunchObjects,
  { instanceType, zone }: Pick<HeldHost, 'instanceType' | 'zone'>,
  attempt: number,
): Promise<string> => {
  const cluster = { namespace: machine.metadata.namespace ?? '', name: machine.spec.clusterName };
  const tags = hostTags(infrastructure, instanceTags({ cluster, machine, infrastructure, awsCluster }));
  // After a lost response, the token finds the host again; another attempt may request another type.
  const clientToken = `${uidOf(machine)}-host-${attempt}`;
  try {
    const id = await deps.ec2.allocateHost({ instanceType, zone, clientToken, tags });
    const message = `Allocated dedicated host ${id} for ${instanceType} in ${zone}`;
    await recorder(deps).normal(infrastructure, 'SuccessfulAllocateDedicatedHost', message);
    return id;
  } catch (error) {
    const message = `Failed to allocate a dedicated host for ${instanceType} in ${zone}: ${describeAwsError(error)}`;
    await recorder(deps).warning(infrastructure, 'FailedAllocateDedicatedHost', message);
    throw error;
  }
};

/**
 * The host for a launch: one that the machine already has, or a new one. It is recorded before anything is launched on
 * it. Hosts of failed attempts are released.
 */
export const ensureHost = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  { request, zone, attempt = 0 }: DecidedLaunch,
): Promise<string> => {
  const { machine, infrastructure } = objects;
  if (!zone) throw new RefusedError('spec.dynamicHostAllocation: the zone of spec.networkInterfaces is not known');
  const wanted = { instanceType: request.InstanceType ?? '', zone };
  const held = await deps.ec2.heldHosts(identityOf(machine));
  const { use, leftOver } = chooseHost(held, wanted, infrastructure.status?.dedicatedHost?.id);
  for (const { id } of leftOver) await release(deps, infrastructure, id);
  const id = use?.id ?? (await allocate(deps, objects, wanted, attempt));
  await deps.objects.mutate(kinds.awsMachine, keyOf(infrastructure), (current) => ({
    ...current,
    status: { ...current.status, dedicatedHost: { id } },
  }));
  return id;
};

/** Releases the hosts of a machine, except for the one on which its instance runs. False while one is left. */
export const releaseHosts = async (
  deps: InstanceDependencies,
  { machine, infrastructure }: Pick<LaunchObjects, 'machine'> & { infrastructure: AWSMachine | null },
  inUse?: string,
): Promise<boolean> => {
  if (infrastructure && !wantsHost(infrastructure)) return true;
  const held = await deps.ec2.heldHosts(identityOf(machine));
  const released: boolean[] = [];
  for (const { id } of held) if (id !== inUse) released.push(await release(deps, infrastructure, id));
  return released.every(Boolean);
};
