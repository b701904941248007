/** Elastic IP addresses for one purpose: found by their tags, and allocated once each if they are missing. */

import { describeAwsError, madeNothing } from '../../../shared/aws/errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { RecorderOf } from '../../../shared/events/recorder.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Ec2Addresses } from '../../../shared/providers/aws/api/ec2-addresses.ts';
import { newIntent, readIntents, withIntents } from '../../../shared/providers/aws/network/intents.ts';
import type { AddressPlan, AddressPool, AddressSituation } from '../../../shared/providers/aws/plan/addresses/plan.ts';
import { INTENT_TAG, type Tags } from '../../../shared/providers/aws/tags.ts';
import type { Random } from '../../../shared/random.ts';
import type { ADDRESS_REASONS } from './reasons.ts';

export interface AddressDependencies {
  objects: ObjectClient;
  clock: Clock;
  random: Random;
  ec2: Ec2Addresses;
  recorder: RecorderOf<typeof ADDRESS_REASONS>;
}

/** The object for which the addresses are: it stores the intents, and events refer to it. */
export interface AddressOwner<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  object: T;
}

const withIntent = <T extends KubeObject>(object: T, intent: string, token: string | undefined): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: withIntents(object.metadata.annotations, { [intent]: token }) },
});

/** Data about the pool, read only if there is one. */
export const poolFacts = async (
  ec2: Ec2Addresses,
  pool: AddressPool | undefined,
): Promise<Pick<AddressSituation, 'pool' | 'free'>> => {
  if (!pool) return {};
  const free = await ec2.freeInPool(pool.id);
  return { pool, ...(free === undefined ? {} : { free }) };
};

/** Replaces the token that was read; false if another run was faster and continues. */
const record = async <T extends KubeObject>(
  { objects }: AddressDependencies,
  { resource, object }: AddressOwner<T>,
  intent: string,
  token: string,
): Promise<boolean> => {
  const before = readIntents(object.metadata.annotations)[intent];
  const stored = await objects.mutate(resource, keyOf(object), (current) => {
    if (current.metadata.deletionTimestamp) return undefined;
    return readIntents(current.metadata.annotations)[intent] === before
      ? withIntent(current, intent, token)
      : undefined;
  });
  return readIntents(stored?.metadata.annotations)[intent] === token;
};

const allocate = async <T extends KubeObject>(
  deps: AddressDependencies,
  owner: AddressOwner<T>,
  { intent, pool }: AddressPlan['allocate'][number],
  tags: Tags,
): Promise<string | undefined> => {
  const { objects, clock, random, ec2, recorder } = deps;
  const regarding = owner.object;
  const token = newIntent(clock.now(), random.uuid().slice(0, 8));
  if (!(await record(deps, owner, intent, token))) return undefined;
  try {
    const allocationId = await ec2.allocateAddress({ ...tags, [INTENT_TAG]: token }, pool);
    const message = `Allocated address ${allocationId}${pool ? ` of pool ${pool}` : ''}`;
    await recorder.normal(regarding, 'SuccessfulAllocateEIP', message);
    return allocationId;
  } catch (error) {
    // Otherwise, the next attempt would have to wait until the intent expires.
    if (madeNothing(error))
      await objects.mutate(owner.resource, keyOf(regarding), (current) => withIntent(current, intent, undefined));
    const message = `Failed to allocate an address${pool ? ` of pool ${pool}` : ''}: ${describeAwsError(error)}`;
    await recorder.warning(regarding, 'FailedAllocateEIP', message);
    throw error;
  }
};

/** Allocates the planned addresses, one after the other. Returns those allocated by this run. */
export const allocateAddresses = async <T extends KubeObject>(
  deps: AddressDependencies,
  owner: AddressOwner<T>,
  plan: AddressPlan,
  tags: Tags,
): Promise<string[]> => {
  const made: string[] = [];
  for (const one of plan.allocate) {
    const allocationId = await allocate(deps, owner, one, tags);
    if (allocationId) made.push(allocationId);
  }
  return made;
};

/** Releases addresses that are not associated with anything. */
export const releaseAddresses = async (
  { ec2, recorder }: Pick<AddressDependencies, 'ec2' | 'recorder'>,
  regarding: KubeObject,
  addresses: AddressPlan['surplus'],
): Promise<void> => {
  for (const { allocationId, publicIp } of addresses) {
    await ec2.releaseAddress(allocationId);
    await recorder.normal(regarding, 'SuccessfulReleaseEIP', `Released address ${allocationId} (${publicIp})`);
  }
};
