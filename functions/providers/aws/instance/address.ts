/** The Elastic IP address of an instance: associated when the instance runs, and released when it is gone. */
import { describeAwsError, isInstanceNotReady, isNotFound } from '../../../../shared/aws/errors.ts';
import { RefusedError, TransientError } from '../../../../shared/errors.ts';
import { type AWSCluster, type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import type { AddressTarget } from '../../../../shared/providers/aws/api/ec2-instances.ts';
import { isFresh, readIntents } from '../../../../shared/providers/aws/network/intents.ts';
import {
  type AddressPlan,
  type HeldAddress,
  planAddresses,
} from '../../../../shared/providers/aws/plan/addresses/plan.ts';
import { addressPoolOf } from '../../../../shared/providers/aws/plan/addresses/pool.ts';
import { addressRole, addressTags, wantsAddress } from '../../../../shared/providers/aws/plan/launch/address.ts';
import { allocateAddresses, poolFacts, releaseAddresses } from '../addresses.ts';
import type { InstanceDependencies } from './dependencies.ts';
import type { Instance } from './ownership.ts';
import { recorder } from './reasons.ts';

const PURPOSE = 'machine';

interface Objects {
  machine: Machine;
  infrastructure: AWSMachine;
}

const clusterOf = ({ machine }: Pick<Objects, 'machine'>) => ({
  namespace: machine.metadata.namespace ?? '',
  name: machine.spec.clusterName,
});

const reportWaiting = async ({ objects, clock }: InstanceDependencies, { metadata }: AWSMachine): Promise<void> => {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  const message = 'the Elastic IP address of the instance may have been allocated and is not visible yet';
  const claim = {
    type: 'InstanceReady',
    status: 'False',
    severity: 'Info',
    reason: 'InstanceNotReady',
    message,
  } as const;
  await objects.mutate(kinds.awsMachine, key, (current) => withLegacyCondition(current, claim, clock.now()));
};

/** The instance, or its first interface if it has several, as some CNI plugins create. */
const targetOf = ({ InstanceId = '', NetworkInterfaces = [] }: Instance): AddressTarget => {
  const first = NetworkInterfaces.find(
    ({ Attachment: at }) => at?.DeviceIndex === 0 && (at.NetworkCardIndex ?? 0) === 0,
  );
  const { NetworkInterfaceId } = first ?? {};
  return NetworkInterfaces.length > 1 && NetworkInterfaceId ? { NetworkInterfaceId } : { InstanceId };
};

/** False if a newly allocated address is not visible yet. */
const associate = async (
  deps: InstanceDependencies,
  regarding: AWSMachine,
  instance: Instance,
  allocationId: string,
): Promise<boolean> => {
  const { normal, warning } = recorder(deps);
  const instanceId = instance.InstanceId ?? '';
  try {
    await deps.ec2.associateAddress(allocationId, targetOf(instance));
  } catch (error) {
    if (isNotFound(error)) return false;
    if (isInstanceNotReady(error)) throw new TransientError(describeAwsError(error), { cause: error });
    const message = `Failed to associate address ${allocationId} with instance ${instanceId}: ${describeAwsError(error)}`;
    await warning(regarding, 'FailedAssociateEIP', message);
    throw error;
  }
  const message = `Associated address ${allocationId} with instance ${instanceId}`;
  await normal(regarding, 'SuccessfulAssociateEIP', message);
  return true;
};

const plan = async (
  { ec2 }: InstanceDependencies,
  { infrastructure }: Objects,
  { held, now }: { held: readonly HeldAddress[]; now: Date },
  instanceId: string,
): Promise<AddressPlan> => {
  const isBound = held.some(({ boundTo }) => boundTo === instanceId);
  const isAtHand = isBound || held.some(({ boundTo }) => boundTo === undefined);
  const facts = isAtHand ? {} : await poolFacts(ec2, addressPoolOf(infrastructure.spec.elasticIpPool));
  const intents = readIntents(infrastructure.metadata.annotations);
  return planAddresses(PURPOSE, { wanted: isBound ? 0 : 1, held, ...facts, intents, now });
};

/**
 * Associates an address from the pool that the machine names with its running instance. False if an address may have
 * been allocated but is not visible yet. Duplicate allocations are released.
 */
export const bindAddress = async (
  deps: InstanceDependencies,
  objects: Objects & { awsCluster: AWSCluster },
  instance: Instance,
): Promise<boolean> => {
  const { infrastructure, awsCluster } = objects;
  if (!wantsAddress(infrastructure)) return true;
  const instanceId = instance.InstanceId ?? '';
  const role = addressRole(instanceId);
  // Before the read: an intent that expires during the read says nothing about its result.
  const now = deps.clock.now();
  const held = await deps.ec2.heldAddresses(clusterOf(objects), role);
  const { problem, ...found } = await plan(deps, objects, { held, now }, instanceId);
  if (problem) throw new RefusedError(`spec.elasticIpPool.publicIpv4Pool: ${problem}`);
  const all = { ...deps, recorder: recorder(deps) };
  await releaseAddresses(all, infrastructure, found.surplus);
  if (held.some(({ boundTo }) => boundTo === instanceId)) return true;
  const owner = { resource: kinds.awsMachine, object: infrastructure };
  const made = await allocateAddresses(all, owner, found, addressTags(clusterOf(objects), awsCluster, role));
  const allocationId = found.ready[0]?.allocationId ?? made[0];
  const isBound = allocationId ? await associate(deps, infrastructure, instance, allocationId) : false;
  if (!isBound) await reportWaiting(deps, infrastructure);
  return isBound;
};

/**
 * Releases the addresses of instances that are gone. False while one may still appear, or is still associated with its
 * instance. An address that was associated with another resource is left alone: the deletion of the cluster reports it.
 */
export const unbindAddresses = async (
  deps: InstanceDependencies,
  objects: Pick<Objects, 'machine'> & { infrastructure: AWSMachine | null },
  instanceIds: readonly string[],
): Promise<boolean> => {
  const { machine, infrastructure } = objects;
  if (infrastructure && !wantsAddress(infrastructure)) return true;
  const now = deps.clock.now();
  const held = await Promise.all(instanceIds.map((id) => deps.ec2.heldAddresses(clusterOf(objects), addressRole(id))));
  const all = held.flat();
  const free = all.filter(({ boundTo }) => boundTo === undefined);
  await releaseAddresses({ ...deps, recorder: recorder(deps) }, infrastructure ?? machine, free);
  const intents = Object.values(readIntents(infrastructure?.metadata.annotations));
  const mayShowUp = free.length === 0 && intents.some((token) => isFresh(token, now));
  return !mayShowUp && !all.some(({ boundTo }) => instanceIds.includes(boundTo ?? ''));
};
