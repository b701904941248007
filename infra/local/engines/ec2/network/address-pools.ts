import type * as sdk from '@aws-sdk/client-ec2';
import {
  addressAt,
  blockAt,
  blocksIn,
  type Cidr,
  cidrOf,
  formatCidr,
  overlaps,
  parseCidr,
  sizeOf,
} from '../../../../../shared/cidr.ts';
import { AwsFault } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { arnOf } from '../../wire/place.ts';
import { applyFilters } from '../filters.ts';
import type { IpamPool, PublicIpv4Pool } from '../settings.ts';
import type { Ec2 } from '../state.ts';

const TOO_BIG = (): AwsFault => new AwsFault('InvalidParameterValue', 'The allocation size is too big for the pool.');

const poolOf = (ec2: Ec2, id: string, family: IpamPool['family']): IpamPool => {
  const pool = ec2.settings.ipamPools.find((one) => one.id === id);
  if (!pool) throw new AwsFault('InvalidIpamPoolId.NotFound', `The ipam-pool ID '${id}' does not exist`);
  if (pool.family !== family)
    throw new AwsFault('InvalidParameterValue', `The IPAM pool ${id} has the address family ${pool.family}.`);
  return pool;
};

const lengthOf = (pool: IpamPool, asked: number | undefined): number => {
  const length = asked ?? pool.defaultNetmaskLength;
  if (length === undefined)
    throw new AwsFault('MissingParameter', 'Netmask length or CIDR is required: the pool has no default.');
  return length;
};

/** The first block of the requested length that overlaps no other. */
const firstFree = (pool: IpamPool, asked: number | undefined, taken: readonly Cidr[]): Cidr => {
  const range = parseCidr(pool.cidr);
  const prefix = lengthOf(pool, asked);
  if (!range) throw TOO_BIG();
  for (let index = 0; index < blocksIn(range, prefix); index += 1) {
    const block = blockAt(range, prefix, index);
    if (!taken.some((other) => overlaps(other, block))) return block;
  }
  throw TOO_BIG();
};

/** The first free IPv4 block of an IPAM pool. */
export const allocate4 = (ec2: Ec2, poolId: string, asked: number | undefined): Cidr => {
  const taken = ec2.vpcs.all().flatMap(({ cidr, ipamPoolId }) => (ipamPoolId === poolId ? [cidr] : []));
  return firstFree(poolOf(ec2, poolId, 'ipv4'), asked, taken);
};

/** The first free IPv6 block of an IPAM pool. */
export const allocate6 = (ec2: Ec2, poolId: string, asked: number | undefined): Cidr => {
  const taken = ec2.vpcs.all().flatMap(({ ipv6 }) => ipv6.filter(({ ipamPoolId }) => ipamPoolId === poolId));
  return firstFree(
    poolOf(ec2, poolId, 'ipv6'),
    asked,
    taken.map(({ block }) => block),
  );
};

const addressesOf = ({ cidr }: PublicIpv4Pool): string[] => {
  const range = cidrOf(cidr, 4);
  return Array.from({ length: Number(sizeOf(range)) }, (_, index) => addressAt(range, index));
};

const freeOf = (ec2: Ec2, pool: PublicIpv4Pool): string[] => {
  const taken = new Set(ec2.addresses.all().map(({ publicIp }) => publicIp));
  return addressesOf(pool).filter((address) => !taken.has(address));
};

const publicPool = (ec2: Ec2, id: string): PublicIpv4Pool => {
  const pool = ec2.settings.publicIpv4Pools.find((one) => one.id === id);
  if (!pool) throw new AwsFault('InvalidPublicIpv4PoolID.NotFound', `The PublicIpv4Pool ID '${id}' does not exist`);
  return pool;
};

/** An address from a user's own pool. Throws InsufficientAddressCapacity if it is empty. */
export const takePoolAddress = (ec2: Ec2, id: string): string => {
  const [address] = freeOf(ec2, publicPool(ec2, id));
  if (address === undefined)
    throw new AwsFault('InsufficientAddressCapacity', `Insufficient capacity in the address pool ${id}.`);
  return address;
};

/** Checks that a user's own pool of IPv6 addresses contains a block. */
export const checkIpv6Pool = (ec2: Ec2, id: string | undefined, block: Cidr): void => {
  if (!id) throw new AwsFault('MissingParameter', 'The request must contain the parameter Ipv6Pool');
  const pool = ec2.settings.ipv6Pools.find((one) => one.id === id);
  if (!pool) throw new AwsFault('InvalidPoolID.NotFound', `The pool ID '${id}' does not exist`);
  const range = parseCidr(pool.cidr, 6);
  const taken = ec2.vpcs.all().some(({ ipv6 }) => ipv6.some((one) => overlaps(one.block, block)));
  if (!range || !overlaps(range, block) || block.prefix < range.prefix || taken)
    throw new AwsFault('InvalidParameterValue', `The block ${formatCidr(block)} is not free in pool ${id}.`);
};

const publicPoolView = (ec2: Ec2, pool: PublicIpv4Pool): sdk.PublicIpv4Pool => {
  const [all, free] = [addressesOf(pool), freeOf(ec2, pool)];
  const counts = { AddressCount: all.length, AvailableAddressCount: free.length };
  return {
    PoolId: pool.id,
    PoolAddressRanges: [{ FirstAddress: all[0], LastAddress: all.at(-1), ...counts }],
    TotalAddressCount: all.length,
    TotalAvailableAddressCount: free.length,
    NetworkBorderGroup: ec2.place.region,
    Tags: [],
  };
};

const ownerOf = (ec2: Ec2, { sharedBy }: IpamPool): string => sharedBy ?? ec2.place.accountId;

const ipamPoolView = (ec2: Ec2, pool: IpamPool): sdk.IpamPool => ({
  IpamPoolId: pool.id,
  IpamPoolArn: arnOf({ region: '', accountId: ownerOf(ec2, pool) }, 'ec2', `ipam-pool/${pool.id}`),
  OwnerId: ownerOf(ec2, pool),
  IpamRegion: ec2.place.region,
  Locale: ec2.place.region,
  State: 'create-complete',
  AddressFamily: pool.family,
  AllocationDefaultNetmaskLength: pool.defaultNetmaskLength,
  Tags: pool.name === undefined ? [] : [{ Key: 'Name', Value: pool.name }],
});

/** Pools of addresses from the settings: creating and filling pools is not simulated. */
export const addressPoolActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  DescribePublicIpv4Pools: ({ PoolIds }) => ({
    PublicIpv4Pools: (PoolIds ?? ec2.settings.publicIpv4Pools.map(({ id }) => id)).map((id) =>
      publicPoolView(ec2, publicPool(ec2, id)),
    ),
  }),
  DescribeIpamPools: ({ IpamPoolIds, Filters }) => {
    const unknown = IpamPoolIds?.find((id) => !ec2.settings.ipamPools.some((pool) => pool.id === id));
    if (unknown) throw new AwsFault('InvalidIpamPoolId.NotFound', `The ipam-pool ID '${unknown}' does not exist`);
    const asked = ec2.settings.ipamPools.filter(({ id }) => !IpamPoolIds?.length || IpamPoolIds.includes(id));
    const rows = asked.map((pool) => ({ pool, tags: new Map(pool.name === undefined ? [] : [['Name', pool.name]]) }));
    const found = applyFilters(rows, Filters, {
      'ipam-pool-id': ({ pool }) => pool.id,
      'address-family': ({ pool }) => pool.family,
      state: () => 'create-complete',
    });
    return { IpamPools: found.map(({ pool }) => ipamPoolView(ec2, pool)) };
  },
});
