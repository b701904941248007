import type { AWSCluster, LoadBalancerStatus } from '../../../kinds/index.ts';
import { withFailureDomains } from '../network/subnets/failure-domains.ts';
import type { ClusterName } from '../tags.ts';
import { CROSS_ZONE, IDLE_TIMEOUT } from './attributes.ts';
import { toClassicTarget } from './classic/health-check.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { ObservedLoadBalancing } from './model.ts';
import { withBalancerRecord } from './roles.ts';
import { chooseTargetGroup } from './target-groups/plan.ts';

/** Go represents durations in nanoseconds. */
const nanoseconds = (seconds: number): number => seconds * 1_000_000_000;

/** The part of the status that is different for a classic load balancer. */
const classicStatus = ({ attributes, listeners }: DesiredLoadBalancing): LoadBalancerStatus => {
  const [api] = listeners;
  const check = api?.targetGroup.healthCheck;
  return {
    listeners: listeners.map(({ port, targetGroup }) => ({
      ...{ protocol: 'TCP', port, instanceProtocol: 'TCP', instancePort: targetGroup.port },
    })),
    ...(check
      ? {
          healthChecks: {
            target: toClassicTarget(check),
            interval: nanoseconds(check.intervalSeconds),
            timeout: nanoseconds(check.timeoutSeconds),
            healthyThreshold: check.thresholdCount,
            unhealthyThreshold: check.unhealthyThresholdCount,
          },
        }
      : {}),
    attributes: {
      idleTimeout: nanoseconds(Number(attributes[IDLE_TIMEOUT])),
      crossZoneLoadBalancing: attributes[CROSS_ZONE] === 'true',
    },
  };
};

/** A listener of a network load balancer, with the name and the address family of its target group. */
export const listenerStatus = (
  vpcId: string,
  { port, targetGroup: { healthCheck, port: targetPort } }: DesiredLoadBalancing['listeners'][number],
  { name, ipType }: { name: string; ipType: string },
): NonNullable<LoadBalancerStatus['elbListeners']>[number] => ({
  protocol: 'TCP',
  port,
  targetGroup: {
    ...{ name, port: targetPort, protocol: 'TCP' as const, vpcId },
    targetGroupHealthCheck: { ...healthCheck },
    ipType,
  },
});

const networkStatus = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerStatus => ({
  arn: observed.loadBalancer?.arn,
  elbAttributes: { ...desired.attributes },
  elbListeners: desired.listeners.map((listener) => {
    const { group, name = '' } = chooseTargetGroup(cluster, listener.targetGroup, observed);
    return listenerStatus(desired.vpcId, listener, { name, ipType: group?.ipType ?? listener.targetGroup.ipType });
  }),
});

const statusOf = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerStatus => ({
  name: desired.name,
  dnsName: observed.loadBalancer?.dnsName,
  scheme: desired.scheme,
  availabilityZones: observed.loadBalancer?.zones.map(({ zone }) => zone).sort(),
  subnetIds: (observed.loadBalancer?.zones.map(({ subnetId }) => subnetId) ?? [...desired.subnetIds]).sort(),
  securityGroupIds: [...desired.securityGroupIds],
  tags: { ...desired.tags },
  ...(desired.type === 'classic' ? classicStatus(desired) : networkStatus(cluster, desired, observed)),
  loadBalancerType: desired.type === 'classic' ? 'classic' : 'nlb',
  // An IPv4 load balancer may be kept (balancer/plan.ts).
  loadBalancerIPAddressType: observed.loadBalancer?.ipAddressType === 'ipv4' ? 'ipv4' : desired.ipAddressType,
});

const withEndpoint = (awsCluster: AWSCluster, host: string, port: number): AWSCluster =>
  awsCluster.spec.controlPlaneEndpoint?.host
    ? awsCluster
    : { ...awsCluster, spec: { ...awsCluster.spec, controlPlaneEndpoint: { host, port } } };

/**
 * Sets the status of a load balancer and, as upstream does, the endpoint in the spec. The failure domains depend on its
 * zones.
 */
export const withLoadBalancing = (
  awsCluster: AWSCluster,
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): AWSCluster => {
  const host = observed.loadBalancer?.dnsName;
  const [api] = desired.listeners;
  if (!host || !api) return awsCluster;
  const recorded = withBalancerRecord(awsCluster, desired.role, statusOf(cluster, desired, observed));
  return desired.role === 'primary' ? withFailureDomains(withEndpoint(recorded, host, api.port)) : recorded;
};

/** Conditions on which machines depend. The NAT gateways may still be pending. */
const NEEDED = ['VpcReady', 'SubnetsReady', 'RouteTablesReady', 'ClusterSecurityGroupsReady', 'LoadBalancerReady'];

/**
 * Once `status.ready` is true, it remains true: later failures are reported in the conditions (the provider contract).
 */
export const withReady = (awsCluster: AWSCluster): AWSCluster => {
  const isMet = NEEDED.every((needed) =>
    awsCluster.status?.conditions?.some(({ type, status }) => type === needed && status === 'True'),
  );
  return isMet ? { ...awsCluster, status: { ...awsCluster.status, ready: true } } : awsCluster;
};

/** Whether a pass cannot create machines now, because a required resource is missing or broken. */
export const lacksFoundation = ({ status }: AWSCluster): boolean =>
  [...NEEDED, 'NatGatewaysReady'].some((needed) =>
    status?.conditions?.some((condition) => condition.type === needed && condition.status === 'False'),
  );
