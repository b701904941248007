import { type ClusterName, isOwnedBy, type Tags } from '../tags.ts';
import type { ObservedNetwork } from './model.ts';
import { isOwnVpc } from './vpc/choose.ts';

/**
 * The part of a network that goes with the cluster: its VPCs with all that is in them, and of a VPC that the user brought
 * only the security groups that carry the cluster's tag. Upstream's controllers tag the user's NAT gateways as well, so
 * the tag alone says nothing there.
 */
export const ownPart = (cluster: ClusterName, observed: ObservedNetwork): ObservedNetwork => {
  const isOurs = ({ tags }: { tags: Tags }) => isOwnedBy(cluster, tags);
  const vpcs = observed.vpcs.filter((vpc) => isOwnVpc(cluster, vpc));
  const vpcIds = new Set(vpcs.map(({ id }) => id));
  const isInside = ({ vpcId }: { vpcId: string }) => vpcIds.has(vpcId);
  const securityGroups = observed.securityGroups.filter((group) => isInside(group) || isOurs(group));
  const groupIds = new Set(securityGroups.map(({ id }) => id));
  return {
    vpcs,
    subnets: observed.subnets.filter(isInside),
    internetGateways: observed.internetGateways.filter((one) =>
      one.vpcId === undefined ? isOurs(one) : vpcIds.has(one.vpcId),
    ),
    routeTables: observed.routeTables.filter(isInside),
    natGateways: observed.natGateways.filter(isInside),
    addresses: observed.addresses,
    bastions: observed.bastions ?? [],
    securityGroups,
    ...(observed.egressOnlyGateways ? { egressOnlyGateways: observed.egressOnlyGateways.filter(isInside) } : {}),
    ...(observed.carrierGateways ? { carrierGateways: observed.carrierGateways.filter(isInside) } : {}),
    ...(observed.endpoints ? { endpoints: observed.endpoints.filter(isInside) } : {}),
    networkInterfaces: observed.networkInterfaces.filter(
      (one) => isInside(one) || one.groupIds.some((id) => groupIds.has(id)),
    ),
  };
};
