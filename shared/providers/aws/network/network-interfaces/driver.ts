import { isOwnedBy } from '../../tags.ts';
import type { Driver, View } from '../driver.ts';
import { inVpcs } from '../filters.ts';
import type { ObservedNetwork } from '../model.ts';
import { unique } from '../observing.ts';
import { vpcsOf } from '../parts.ts';
import type { ObservedSecurityGroup } from '../security-groups/model.ts';
import { ownGroups } from '../security-groups/take-down.ts';
import type { NetworkInterfaceReads } from './api.ts';
import type { SeenNetworkInterfaces } from './model.ts';

/** All interfaces in our VPCs. In other VPCs, where most of them may be of others, only those that use our groups. */
const observe = async (
  ec2: NetworkInterfaceReads,
  { cluster, purpose, ownVpcIds }: View,
  { securityGroups }: Pick<ObservedNetwork, 'securityGroups'>,
): Promise<SeenNetworkInterfaces> => {
  if (purpose !== 'deletion') return { networkInterfaces: [] };
  const isStray = (group: ObservedSecurityGroup) => isOwnedBy(cluster, group.tags) && !ownVpcIds.includes(group.vpcId);
  const byGroup = { name: 'group-id', values: securityGroups.filter(isStray).map(({ id }) => id) };
  const asked = [...inVpcs(ownVpcIds), byGroup].filter(({ values }) => values.length > 0);
  const found = await Promise.all(asked.map((filter) => ec2.describeNetworkInterfaces([filter])));
  return { networkInterfaces: unique(found.flat()) };
};

/** Interfaces are never created here: their end is awaited, and they are reported as blockers. */
export const networkInterfaces = {
  observe: { stage: 'last', look: observe },
  ownPart: (observed, belonging): SeenNetworkInterfaces => {
    const groupIds = new Set(ownGroups(observed, belonging).map(({ id }) => id));
    return {
      networkInterfaces: observed.networkInterfaces.filter(
        (one) => belonging.isInside(one) || one.groupIds.some((id) => groupIds.has(id)),
      ),
    };
  },
  inhabits: (observed) => vpcsOf(observed.networkInterfaces),
  operations: {},
  rights: { reads: ['DescribeNetworkInterfaces'] },
} satisfies Driver<never, SeenNetworkInterfaces>;
