import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { Situation } from '../situation.ts';
import { natZones } from '../subnets/nat-zones.ts';
import { discoverSubnets, unmanagedNatIps } from '../users-vpc/discover.ts';
import { chooseVpc } from '../vpc/choose.ts';
import type { DesiredSecurityGroup } from './model.ts';
import { ANYWHERE, API_SERVER_PORT } from './rules.ts';

type Seen = Pick<Situation, 'desired' | 'observed'>;

const admitsEveryone = ({ ingress }: DesiredSecurityGroup, port: number): boolean =>
  ingress.some(({ protocol, fromPort = 0, toPort = 0, source }) => {
    const isOfPort = protocol === '-1' || (protocol === 'tcp' && fromPort <= port && port <= toPort);
    return isOfPort && source === ANYWHERE;
  });

/** Whether nodes connect with the addresses of NAT gateways, which are allowed as soon as they are known. */
const hasNatGateways = ({ desired, observed }: Seen, { network }: AWSClusterSpec): boolean => {
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'unmanaged') return natZones(network?.subnets ?? []).length > 0;
  return unmanagedNatIps(discoverSubnets(desired, observed, choice.vpc.id), observed).length > 0;
};

/**
 * A warning about nodes that may not reach the API: a user's own rules for an internet-facing load balancer, without a
 * NAT gateway whose addresses would be allowed in addition. Only the user knows the addresses of nodes on the internet
 * and whether the rules contain them, so this is not an error.
 */
export const accessWarnings = (seen: Seen, spec: AWSClusterSpec, apiPort = API_SERVER_PORT): string[] => {
  const { loadBalancerType, scheme } = spec.controlPlaneLoadBalancer ?? {};
  if (loadBalancerType === 'disabled' || scheme === 'internal') return [];
  const group = seen.desired.securityGroups.find(({ role }) => role === 'apiserver-lb');
  const isGivenByUser = group?.overrideId !== undefined;
  if (!group || isGivenByUser || admitsEveryone(group, apiPort) || hasNatGateways(seen, spec)) return [];
  return [
    `spec.controlPlaneLoadBalancer.ingressRules: nodes can join only if a rule admits the public addresses that they use to port ${apiPort}, because the cluster has no NAT gateway whose addresses are admitted automatically; if each node has a public address of its own, a rule for ${ANYWHERE} is needed`,
  ];
};
