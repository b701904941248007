import { isSet, type Unsupported } from '../rules/unsupported.ts';
import type { LoadBalancerSpec } from '../schema/aws-load-balancer.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

/** Only for network load balancers: a classic one has one listener, one health check and no target groups. */
const IGNORED_BY_CLASSIC: Unsupported<LoadBalancerSpec> = {
  additionalListeners: ({ additionalListeners }) => additionalListeners,
  preserveClientIP: ({ preserveClientIP }) => preserveClientIP,
};

/** Disadvantages of a classic load balancer, and features that it does not support. */
const warnClassic = (spec: LoadBalancerSpec): string[] => {
  if (spec.loadBalancerType !== 'classic') return [];
  const field = 'spec.controlPlaneLoadBalancer';
  const overTls = 'a health check over SSL offers few ciphers, which API servers from v1.30 on may refuse';
  return [
    `${field}.loadBalancerType: classic load balancers are deprecated; use nlb`,
    ...(spec.healthCheckProtocol === 'SSL' ? [`${field}.healthCheckProtocol: ${overTls}`] : []),
    ...Object.entries(IGNORED_BY_CLASSIC)
      .filter(([, read]) => isSet(read(spec)))
      .map(([name]) => `${field}.${name}: classic load balancers do not support it`),
  ];
};

const warnSecondary = ({
  controlPlaneLoadBalancer: primary,
  secondaryControlPlaneLoadBalancer: secondary,
}: AWSClusterSpec): string[] =>
  secondary && primary?.loadBalancerType === 'disabled'
    ? ['spec.secondaryControlPlaneLoadBalancer: is not created if the first load balancer is disabled']
    : [];

/** One sentence for each field of a load balancer that does not do what it would for another type. */
export const warnAWSCluster = ({ spec }: AWSCluster): string[] => [
  ...warnClassic(spec?.controlPlaneLoadBalancer ?? {}),
  ...warnSecondary(spec ?? {}),
];
