import { bearsClusterTag } from '../../plan/ownership/balancing.ts';
import { type ClusterName, isOwnedBy, missingTags } from '../../tags.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import type { LoadBalancerAction } from '../model.ts';
import { differing, isEmpty, type LoadBalancerPlan, NOTHING } from '../parts.ts';
import type { ObservedLoadBalancer } from './model.ts';

/**
 * Whether it is the user's own: the user has specified the name, and no cluster has tagged the load balancer. As in
 * upstream, such a load balancer is used unchanged.
 */
export const isUsersOwn = ({ isNamed }: DesiredLoadBalancing, { tags }: Pick<ObservedLoadBalancer, 'tags'>): boolean =>
  isNamed && !bearsClusterTag(tags);

const misfit = (cluster: ClusterName, desired: DesiredLoadBalancing, found: ObservedLoadBalancer) => {
  const { name, vpcId, scheme, type } = desired;
  if (!isOwnedBy(cluster, found.tags) && !isUsersOwn(desired, found)) {
    return `a load balancer with the name ${name} exists and does not belong to the cluster`;
  }
  if (found.type !== type) return `load balancer ${name} is of the type ${found.type}, not ${type}`;
  if (found.vpcId !== vpcId) return `load balancer ${name} exists in ${found.vpcId}, not in ${vpcId}`;
  if (found.scheme !== scheme) return `load balancer ${name} exists with the scheme ${found.scheme}, not ${scheme}`;
  if (found.state === 'failed') return `load balancer ${name} failed: ${found.stateReason ?? 'AWS gives no reason'}`;
  return undefined;
};

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((item) => b.includes(item)) && b.every((item) => a.includes(item));

/** A network load balancer that was created without security groups can never get any. */
const securityGroups = ({ securityGroupIds }: DesiredLoadBalancing, found: ObservedLoadBalancer) =>
  found.securityGroupIds.length === 0 || isSameSet(securityGroupIds, found.securityGroupIds)
    ? []
    : [{ type: 'SetSecurityGroups', arn: found.arn, groupIds: securityGroupIds } as const];

/**
 * Only changed if a zone is new. A zone that is no longer in the spec keeps its address, for clients that know it. A
 * zone of a network load balancer keeps its subnet, because AWS only replaces those of classic ones. Subnets that the
 * user names are used literally.
 */
const subnets = (
  { type, subnetIds, subnetZones }: DesiredLoadBalancing,
  found: ObservedLoadBalancer,
): LoadBalancerAction[] => {
  const { arn, zones } = found;
  const kept = type === 'network' ? subnetZones : undefined;
  const added = subnetIds.filter((id) => !zones.some(({ subnetId, zone }) => subnetId === id || zone === kept?.[id]));
  if (added.length === 0) return [];
  const all = kept ? [...zones.map(({ subnetId }) => subnetId), ...added].sort() : subnetIds;
  return [{ type: 'SetSubnets', arn, subnetIds: all }];
};

/** AWS refuses IPv6 as long as the load balancer is in a subnet without it, and a zone keeps its subnet. */
const addressType = (
  { ipAddressType, withoutIpv6 = [] }: DesiredLoadBalancing,
  { arn, ipAddressType: has, zones }: ObservedLoadBalancer,
): LoadBalancerAction[] => {
  const isHeldBack = ipAddressType === 'dualstack' && zones.some(({ subnetId }) => withoutIpv6.includes(subnetId));
  return ipAddressType === has || isHeldBack ? [] : [{ type: 'SetIpAddressType', arn, ipAddressType }];
};

const repair = (desired: DesiredLoadBalancing, found: ObservedLoadBalancer): LoadBalancerAction[] => {
  const { arn } = found;
  const attributes = differing(desired.attributes, found.attributes);
  const tags = missingTags(desired.tags, found.tags);
  const stale = desired.staleTags.filter((key) => found.tags[key] !== undefined);
  return [
    ...(isEmpty(attributes) ? [] : [{ type: 'SetLoadBalancerAttributes', arn, attributes } as const]),
    ...addressType(desired, found),
    ...subnets(desired, found),
    ...securityGroups(desired, found),
    ...(isEmpty(tags) ? [] : [{ type: 'AddTags', arns: [arn], tags } as const]),
    ...(stale.length > 0 ? [{ type: 'RemoveTags', arns: [arn], keys: stale } as const] : []),
  ];
};

/** Clients that use the user's name also use the port that the user has specified. */
const wrongPort = ({ ownEndpoint, listeners }: DesiredLoadBalancing): string | undefined => {
  const port = listeners[0]?.port;
  if (ownEndpoint?.port === undefined || ownEndpoint.port === port) return undefined;
  return `spec.controlPlaneEndpoint.port is ${ownEndpoint.port}, and the load balancer listens on ${port}: set spec.clusterNetwork.apiServerPort of the Cluster to the port of the endpoint`;
};

const unmakeable = (desired: DesiredLoadBalancing): string | undefined => {
  if (desired.subnetIds.length > 0) return wrongPort(desired);
  const kind = desired.scheme === 'internal' ? '' : 'public ';
  return `there is no ${kind}subnet for load balancer ${desired.name}, which is ${desired.scheme}`;
};

/** Creates or repairs the load balancer itself. */
export const planLoadBalancer = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  found: ObservedLoadBalancer | undefined,
): LoadBalancerPlan => {
  const reason = unmakeable(desired);
  if (reason) return { ...NOTHING, problem: { message: reason } };
  if (!found) {
    // Nodes and kubeconfigs contain the old name, which AWS never assigns again, so another load balancer would not
    // help them (upstream's rule).
    if (desired.recordedHost) {
      const message = `load balancer ${desired.name} of the endpoint ${desired.recordedHost} does not exist; it is not recreated, because AWS would give it another name, which no node, kubeconfig or certificate has. For a copy of another cluster, create the Cluster and its AWSCluster without spec.controlPlaneEndpoint`;
      return { ...NOTHING, problem: { message } };
    }
    return { ...NOTHING, actions: [{ type: 'CreateLoadBalancer', desired }] };
  }
  const message = misfit(cluster, desired, found);
  if (message) return { ...NOTHING, problem: { message } };
  return {
    actions: isUsersOwn(desired, found) ? [] : repair(desired, found),
    waiting: found.dnsName ? [] : [`the DNS name of load balancer ${desired.name}`],
  };
};
