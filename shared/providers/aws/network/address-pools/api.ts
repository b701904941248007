import { type EC2Client, paginateDescribeIpamPools } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { freeInPool } from '../../api/ec2-addresses.ts';
import { fromTagList } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { toFilters } from '../wire.ts';
import type { ObservedIpamPool } from './model.ts';

export interface PoolReads {
  describeIpamPools(filters: readonly Filter[]): Promise<ObservedIpamPool[]>;
  /** Free addresses of a pool; undefined if there is no pool with that id. */
  describePublicIpv4Pool(id: string): Promise<number | undefined>;
}

export const poolReads = (client: EC2Client): PoolReads => ({
  describeIpamPools: async (filters) => {
    const pages = paginateDescribeIpamPools({ client }, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ IpamPools }) => IpamPools)).flatMap(({ IpamPoolId: id, Tags }) => {
      const name = fromTagList(Tags).Name;
      return id ? [{ id, ...(name ? { name } : {}) }] : [];
    });
  },
  describePublicIpv4Pool: (id) => freeInPool(client, id),
});
