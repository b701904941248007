import type { AWSCluster, LoadBalancerSpec, LoadBalancerStatus } from '../../../kinds/index.ts';

/** The load balancers that the API of a cluster may have: the one of its endpoint, and a second one. */
export const BALANCER_ROLES = ['primary', 'secondary'] as const;

export type BalancerRole = (typeof BALANCER_ROLES)[number];

const STATUS = { primary: 'apiServerElb', secondary: 'secondaryAPIServerELB' } as const;

/** Its part of the spec; undefined if there should be none. With a user's endpoint there is no second one. */
export const balancerSpecOf = ({ spec }: AWSCluster, role: BalancerRole): LoadBalancerSpec | undefined => {
  const primary = spec.controlPlaneLoadBalancer ?? {};
  if (primary.loadBalancerType === 'disabled') return undefined;
  return role === 'primary' ? primary : spec.secondaryControlPlaneLoadBalancer;
};

/**
 * Whether the load balancer of the endpoint hands on the addresses of clients. It then cannot lead a machine behind it back
 * to itself (AWS: loopback timeout). Classic load balancers never do that.
 */
export const preservesClientAddress = (awsCluster: AWSCluster): boolean => {
  const { loadBalancerType, preserveClientIP = false } = balancerSpecOf(awsCluster, 'primary') ?? {};
  return preserveClientIP && loadBalancerType !== 'classic';
};

/** Its part of the status. */
export const balancerRecordOf = (
  awsCluster: AWSCluster | undefined,
  role: BalancerRole,
): LoadBalancerStatus | undefined => awsCluster?.status?.networkStatus?.[STATUS[role]];

/** The AWSCluster with another word of it in its status. */
export const withBalancerRecord = (
  awsCluster: AWSCluster,
  role: BalancerRole,
  record: LoadBalancerStatus | undefined,
): AWSCluster => {
  const { [STATUS[role]]: _before, ...others } = awsCluster.status?.networkStatus ?? {};
  const networkStatus = { ...others, ...(record ? { [STATUS[role]]: record } : {}) };
  return { ...awsCluster, status: { ...awsCluster.status, networkStatus } };
};
