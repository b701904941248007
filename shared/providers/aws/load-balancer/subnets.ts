import type { AWSCluster, LoadBalancerSpec, SubnetSpec } from '../../../kinds/index.ts';
import { isCoreSubnet } from '../network/subnets/kinds.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';

/** The subnets of an API's load balancer, and its addresses there. */

const isDual = ({ isIpv6, cidrBlock }: SubnetSpec): boolean => Boolean(isIpv6 && cidrBlock);

const isIpv6Only = ({ isIpv6, cidrBlock }: SubnetSpec): boolean => Boolean(isIpv6 && !cidrBlock);

/** Only network load balancers have IPv6 addresses. */
const mayHaveIpv6 = ({ spec }: AWSCluster, { loadBalancerType: type }: LoadBalancerSpec): boolean =>
  spec.network?.vpc?.ipv6 !== undefined && type === 'nlb';

/**
 * The subnets of the type that the scheme requires. AWS refuses subnets without IPv4, and for a load balancer with IPv6
 * also subnets without IPv6: it is only placed in subnets that have both, if there are any. Upstream does not check
 * this.
 */
export const fittingSubnets = (
  awsCluster: AWSCluster,
  balancer: LoadBalancerSpec,
): { subnets: readonly SubnetSpec[]; hasIpv6: boolean } => {
  const core = (awsCluster.spec.network?.subnets ?? []).filter(isCoreSubnet);
  const privates = core.filter(({ isPublic = false }) => !isPublic);
  // A network may only have public subnets.
  const isOutside = balancer.scheme !== 'internal' || privates.length === 0;
  const fitting = isOutside ? core.filter(({ isPublic = false }) => isPublic) : privates;
  const both = mayHaveIpv6(awsCluster, balancer) ? fitting.filter(isDual) : [];
  if (both.length > 0) return { subnets: both, hasIpv6: true };
  return { subnets: fitting.filter((one) => !isIpv6Only(one)), hasIpv6: false };
};

type Places = Pick<DesiredLoadBalancing, 'subnetIds' | 'subnetZones' | 'ipAddressType' | 'withoutIpv6'>;

const typeOf = (hasIpv6: boolean): DesiredLoadBalancing['ipAddressType'] => (hasIpv6 ? 'dualstack' : 'ipv4');

/** One subnet for each zone, of the type that the scheme requires, or the subnets that the spec names by id. */
export const balancerPlaces = (awsCluster: AWSCluster, balancer: LoadBalancerSpec): Places => {
  const all = awsCluster.spec.network?.subnets ?? [];
  const { subnets: named = [] } = balancer;
  const idOf = ({ id, resourceID }: { id: string; resourceID?: string }) => resourceID ?? id;
  if (named.length > 0) {
    const found = named.map((name) => all.find(({ id, resourceID }) => id === name || resourceID === name));
    return {
      subnetIds: named.map((name, index) => idOf(found[index] ?? { id: name })),
      ipAddressType: typeOf(mayHaveIpv6(awsCluster, balancer) && found.every((one) => !one || one.isIpv6)),
    };
  }
  const { subnets, hasIpv6 } = fittingSubnets(awsCluster, balancer);
  const byZone = new Map([...subnets].reverse().map((subnet) => [subnet.availabilityZone ?? '', idOf(subnet)]));
  const subnetZones = Object.fromEntries([...byZone].map(([zone, id]) => [id, zone]));
  const withoutIpv6 = all.filter(({ isIpv6 }) => !isIpv6).map(idOf);
  return {
    subnetIds: [...byZone.values()].sort(),
    subnetZones,
    ipAddressType: typeOf(hasIpv6),
    ...(hasIpv6 ? { withoutIpv6 } : {}),
  };
};
