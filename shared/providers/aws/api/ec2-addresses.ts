import {
  AllocateAddressCommand,
  DescribeAddressesCommand,
  DescribePublicIpv4PoolsCommand,
  type EC2Client,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2';
import { createEc2Client, createEc2Writer } from '../../../aws/clients/ec2.ts';
import type { ClientOptions } from '../../../aws/clients/options.ts';
import { isNotFound } from '../../../aws/errors.ts';
import type { HeldAddress } from '../plan/addresses/plan.ts';
import { type ClusterName, fromTagList, isOwnedBy, ownershipTag, ROLE_TAG, type Tags, toTagList } from '../tags.ts';

/** Elastic IP addresses that are held for one purpose, which their role tag names. */
export interface Ec2Addresses {
  /** The cluster's own addresses with that role, associated or not. */
  heldAddresses(cluster: ClusterName, role: string): Promise<HeldAddress[]>;
  /** Without a pool, allocates one of Amazon's addresses. There is no client token for this call. */
  allocateAddress(tags: Tags, pool?: string): Promise<string>;
  releaseAddress(allocationId: string): Promise<void>;
  /** Free addresses of a pool; undefined if there is no pool with that id. */
  freeInPool(id: string): Promise<number | undefined>;
}

/** Free addresses of a user's own pool; undefined if there is no pool with that id. */
export const freeInPool = async (client: EC2Client, id: string): Promise<number | undefined> => {
  try {
    const { PublicIpv4Pools } = await client.send(new DescribePublicIpv4PoolsCommand({ PoolIds: [id] }));
    return PublicIpv4Pools?.[0] && (PublicIpv4Pools[0].TotalAvailableAddressCount ?? 0);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/** Allocates an address, with its tags in the same call. */
export const allocateAddress = async (client: EC2Client, tags: Tags, pool?: string): Promise<string> => {
  const source = pool === undefined ? {} : { PublicIpv4Pool: pool };
  const TagSpecifications = [{ ResourceType: 'elastic-ip' as const, Tags: toTagList(tags) }];
  const { AllocationId } = await client.send(
    new AllocateAddressCommand({ Domain: 'vpc', ...source, TagSpecifications }),
  );
  if (AllocationId === undefined) throw new Error('EC2 answered AllocateAddress without an id');
  return AllocationId;
};

/** Releases an address. Throws EC2's errors. */
export const releaseAddress = async (client: EC2Client, allocationId: string): Promise<void> => {
  await client.send(new ReleaseAddressCommand({ AllocationId: allocationId }));
};

/** The port, implemented with SDK clients. `writer` makes only one attempt (createEc2Writer). */
export const createEc2Addresses = (client: EC2Client, writer: EC2Client): Ec2Addresses => ({
  heldAddresses: async (cluster, role) => {
    const Filters = [
      { Name: `tag:${ownershipTag(cluster.name)}`, Values: ['owned'] },
      { Name: `tag:${ROLE_TAG}`, Values: [role] },
    ];
    const { Addresses = [] } = await client.send(new DescribeAddressesCommand({ Filters }));
    return Addresses.flatMap(({ AllocationId, PublicIp = '', AssociationId, InstanceId, Tags }) => {
      const tags = fromTagList(Tags);
      if (!AllocationId || !isOwnedBy(cluster, tags)) return [];
      const bound = AssociationId ? { boundTo: InstanceId ?? AssociationId } : {};
      return [{ allocationId: AllocationId, publicIp: PublicIp, ...bound, tags }];
    });
  },
  allocateAddress: (tags, pool) => allocateAddress(writer, tags, pool),
  releaseAddress: async (allocationId) => {
    try {
      await releaseAddress(client, allocationId);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
  freeInPool: (id) => freeInPool(client, id),
});

/** The port with clients of its own. */
export const connectEc2Addresses = (options: ClientOptions): Ec2Addresses =>
  createEc2Addresses(createEc2Client(options), createEc2Writer(options));
