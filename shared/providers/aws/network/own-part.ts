import { type ClusterName, isOwnedBy } from '../tags.ts';
import { ownPartOf } from './drivers.ts';
import type { ObservedNetwork } from './model.ts';
import { isOwnVpc } from './vpc/choose.ts';

/**
 * The part of a network that goes with the cluster: its VPCs with all that is in them, and of a VPC that the user brought
 * only the security groups that carry the cluster's tag. Upstream's controllers tag the user's NAT gateways as well, so
 * the tag alone says nothing there.
 */
export const ownPart = (cluster: ClusterName, observed: ObservedNetwork): ObservedNetwork => {
  const own = new Set(observed.vpcs.filter((vpc) => isOwnVpc(cluster, vpc)).map(({ id }) => id));
  return ownPartOf(observed, {
    isInside: ({ vpcId }) => own.has(vpcId),
    isOurs: ({ tags }) => isOwnedBy(cluster, tags),
  });
};
