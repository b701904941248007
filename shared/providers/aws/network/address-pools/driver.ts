import type { Driver, View } from '../driver.ts';
import type { Filter } from '../filters.ts';
import { unique } from '../observing.ts';
import type { PoolReads } from './api.ts';
import type { SeenPools } from './model.ts';

type Pool = { id?: string; name?: string };

const poolFilters = ({ id, name }: Pool): Filter[] => [
  ...(id ? [{ name: 'ipam-pool-id', values: [id] }] : []),
  ...(name ? [{ name: 'tag:Name', values: [name] }] : []),
];

/** The pools of a VPC's ranges no longer matter once the VPC exists. */
const observe = async (ec2: PoolReads, { purpose, spec }: View): Promise<SeenPools> => {
  if (purpose === 'deletion' || !spec) return {};
  const { vpc = {} } = spec.network ?? {};
  const pools = vpc.id ? [] : [vpc.ipamPool, vpc.ipv6?.ipamPool].flatMap((pool) => pool ?? []);
  const found = (await Promise.all(pools.map((pool) => ec2.describeIpamPools(poolFilters(pool))))).flat();
  const publicId = vpc.elasticIpPool?.publicIpv4Pool;
  const free = publicId ? await ec2.describePublicIpv4Pool(publicId) : undefined;
  return {
    ...(pools.length > 0 ? { ipamPools: unique(found) } : {}),
    ...(publicId ? { publicPool: free === undefined ? 'none' : { free } } : {}),
  };
};

/** Address pools are only read. */
export const addressPools = {
  observe: { stage: 'then', look: observe },
  operations: {},
  rights: { reads: ['DescribeIpamPools', 'DescribePublicIpv4Pools'], swept: ['DescribePublicIpv4Pools'] },
} satisfies Driver<never, SeenPools>;
