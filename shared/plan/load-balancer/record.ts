import type { ClusterName } from '../../aws/tags.ts';
import type { AWSCluster, LoadBalancerStatus } from '../../kinds/index.ts';
import type { DesiredLoadBalancing, ObservedLoadBalancing } from './model.ts';
import { chooseTargetGroup } from './plan-target-groups.ts';

const statusOf = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerStatus => ({
  arn: observed.loadBalancer?.arn,
  name: desired.name,
  dnsName: observed.loadBalancer?.dnsName,
  scheme: desired.scheme,
  availabilityZones: observed.loadBalancer?.zones.map(({ zone }) => zone).sort(),
  subnetIds: [...desired.subnetIds],
  securityGroupIds: [...desired.securityGroupIds],
  tags: { ...desired.tags },
  elbAttributes: { ...desired.attributes },
  elbListeners: desired.listeners.map(({ port, targetGroup }) => {
    const { healthCheck } = targetGroup;
    return {
      protocol: 'TCP',
      port,
      targetGroup: {
        name: chooseTargetGroup(cluster, targetGroup, observed).name ?? '',
        port: targetGroup.port,
        protocol: 'TCP' as const,
        vpcId: desired.vpcId,
        targetGroupHealthCheck: { ...healthCheck },
        ipType: targetGroup.ipType,
      },
    };
  }),
  loadBalancerType: 'nlb',
  loadBalancerIPAddressType: 'ipv4',
});

/** The endpoint in the spec, where upstream puts it, and what the status says of the load balancer. */
export const withLoadBalancing = (
  awsCluster: AWSCluster,
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): AWSCluster => {
  const host = observed.loadBalancer?.dnsName;
  const [api] = desired.listeners;
  if (!host || !api) return awsCluster;
  const controlPlaneEndpoint = awsCluster.spec.controlPlaneEndpoint?.host
    ? awsCluster.spec.controlPlaneEndpoint
    : { host, port: api.port };
  return {
    ...awsCluster,
    spec: { ...awsCluster.spec, controlPlaneEndpoint },
    status: {
      ...awsCluster.status,
      networkStatus: {
        ...awsCluster.status?.networkStatus,
        apiServerElb: statusOf(cluster, desired, observed),
      },
    },
  };
};

/** Conditions without which machines have nowhere to go. The NAT gateways may still be on their way. */
const NEEDED = ['VpcReady', 'SubnetsReady', 'RouteTablesReady', 'ClusterSecurityGroupsReady', 'LoadBalancerReady'];

/** `status.ready`, once true, stays: what breaks later is said by the conditions (the provider contract). */
export const withReady = (awsCluster: AWSCluster): AWSCluster => {
  const isMet = NEEDED.every((needed) =>
    awsCluster.status?.conditions?.some(({ type, status }) => type === needed && status === 'True'),
  );
  return isMet ? { ...awsCluster, status: { ...awsCluster.status, ready: true } } : awsCluster;
};
