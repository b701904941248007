import type { AWSCluster, LoadBalancerSpec, LoadBalancerStatus } from '../../../kinds/index.ts';

/** The possible load balancers of a cluster's API: the one for its endpoint, and a second one. */
export const BALANCER_ROLES = ['primary', 'secondary'] as const;

export type BalancerRole = (typeof BALANCER_ROLES)[number];

const STATUS = { primary: 'apiServerElb', secondary: 'secondaryAPIServerELB' } as const;

/**
 * The part of the spec for this load balancer; undefined if it should not exist. With a user's endpoint there is no
 * second one.
 */
export const balancerSpecOf = ({ spec }: AWSCluster, role: BalancerRole): LoadBalancerSpec | undefined => {
  const primary = spec.controlPlaneLoadBalancer ?? {};
  if (primary.loadBalancerType === 'disabled') return undefined;
  return role === 'primary' ? primary : spec.secondaryControlPlaneLoadBalancer;
};

/**
 * Whether the endpoint's load balancer preserves client addresses. It then cannot lead a machine behind it back to that
 * same machine (AWS: loopback timeout). Classic load balancers never preserve them.
 */
export const preservesClientAddress = (awsCluster: AWSCluster): boolean => {
  const { loadBalancerType, preserveClientIP = false } = balancerSpecOf(awsCluster, 'primary') ?? {};
  return preserveClientIP && loadBalancerType !== 'classic';
};

/** The part of the status for this load balancer. */
export const balancerRecordOf = (
  awsCluster: AWSCluster | undefined,
  role: BalancerRole,
): LoadBalancerStatus | undefined => awsCluster?.status?.networkStatus?.[STATUS[role]];

/** The AWSCluster with that part of the status replaced. */
export const withBalancerRecord = (
  awsCluster: AWSCluster,
  role: BalancerRole,
  record: LoadBalancerStatus | undefined,
): AWSCluster => {
  const { [STATUS[role]]: _before, ...others } = awsCluster.status?.networkStatus ?? {};
  const networkStatus = { ...others, ...(record ? { [STATUS[role]]: record } : {}) };
  return { ...awsCluster, status: { ...awsCluster.status, networkStatus } };
};
