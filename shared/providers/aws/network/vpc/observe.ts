import { isOwnedBy } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import type { ObserveOptions } from '../observe-options.ts';
import { unique } from '../observing.ts';
import type { VpcReads } from './api.ts';
import { isOwnVpc } from './choose.ts';
import type { ObservedVpc } from './model.ts';

/** VPCs with the cluster's tags, and the recorded one, of any owner. Filters never cause NotFound. */
export const observeVpcs = async (
  ec2: VpcReads,
  { cluster, recordedVpcId, isRecordedOwn = false, purpose }: ObserveOptions,
  byTag: Filter,
): Promise<ObservedVpc[]> => {
  const tagged = await ec2.describeVpcs([byTag]);
  const isFound = recordedVpcId === undefined || tagged.some(({ id }) => id === recordedVpcId);
  const recorded = isFound ? [] : await ec2.describeVpcs([{ name: 'vpc-id', values: [recordedVpcId] }]);
  const vpcs = unique([...tagged, ...recorded])
    .filter(({ id, tags }) => id === recordedVpcId || isOwnedBy(cluster, tags))
    .map((vpc) => (isRecordedOwn && vpc.id === recordedVpcId ? { ...vpc, isOnRecord: true } : vpc));
  if (purpose === 'deletion') return vpcs;
  return Promise.all(
    vpcs.map(async (vpc) => (isOwnVpc(cluster, vpc) ? { ...vpc, ...(await ec2.describeVpcDns(vpc.id)) } : vpc)),
  );
};
