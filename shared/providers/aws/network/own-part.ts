import { type ClusterName, isOwnedBy } from '../tags.ts';
import { ownPartOf } from './drivers.ts';
import type { ObservedNetwork } from './model.ts';
import { isOwnVpc } from './vpc/choose.ts';

/**
 * The part of a network that is deleted with the cluster: its own VPCs with their contents, and in a user's VPC only
 * the security groups with the cluster's tag. Upstream's controllers also tag the user's NAT gateways, so the tag alone
 * does not suffice there.
 */
export const ownPart = (cluster: ClusterName, observed: ObservedNetwork): ObservedNetwork => {
  const own = new Set(observed.vpcs.filter((vpc) => isOwnVpc(cluster, vpc)).map(({ id }) => id));
  return ownPartOf(observed, {
    isInside: ({ vpcId }) => own.has(vpcId),
    isOurs: ({ tags }) => isOwnedBy(cluster, tags),
  });
};
