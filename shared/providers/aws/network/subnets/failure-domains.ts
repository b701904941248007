import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { fittingSubnets } from '../../load-balancer/subnets.ts';
import { isReachedIn } from '../../load-balancer/target-groups/families.ts';
import { isCoreSubnet } from './kinds.ts';

const zonesOf = (subnets: readonly SubnetSpec[]): string[] =>
  subnets.flatMap(({ availabilityZone }) => availabilityZone ?? []);

/** The zones in which the load balancer can reach machines. */
const reachableZones = (awsCluster: AWSCluster): string[] => {
  const { spec, status } = awsCluster;
  const { subnets: named = [] } = spec.controlPlaneLoadBalancer ?? {};
  if (named.length === 0) return zonesOf(fittingSubnets(awsCluster, spec.controlPlaneLoadBalancer ?? {}).subnets);
  const subnets = (spec.network?.subnets ?? []).filter(isCoreSubnet);
  // Subnets that the load balancer's spec names may be missing in spec.network.subnets: then only the load balancer
  // itself shows their zones.
  const recorded = status?.networkStatus?.apiServerElb?.availabilityZones ?? [];
  const isNamed = ({ id, resourceID = id }: SubnetSpec) => named.includes(id) || named.includes(resourceID);
  return recorded.length > 0 ? [...recorded] : zonesOf(subnets.filter(isNamed));
};

/**
 * The zones in which machines can run; control plane machines only where the load balancer and its target groups can
 * reach them. Must be updated whenever the subnets or the load balancer are recorded; the subnets are recorded first.
 */
export const withFailureDomains = (awsCluster: AWSCluster): AWSCluster => {
  const { spec, status } = awsCluster;
  const privates = (spec.network?.subnets ?? []).filter((one) => isCoreSubnet(one) && !one.isPublic);
  const zones = [...new Set(zonesOf(privates))].sort();
  const reached = zonesOf(privates.filter(isReachedIn(awsCluster)));
  const reachable = reachableZones(awsCluster).filter((zone) => reached.includes(zone));
  const failureDomains = Object.fromEntries(zones.map((zone) => [zone, { controlPlane: reachable.includes(zone) }]));
  return { ...awsCluster, status: { ...status, failureDomains } };
};
