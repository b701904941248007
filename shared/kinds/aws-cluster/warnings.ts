import { isSet, type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { LoadBalancerSpec } from '../schema/aws-load-balancer.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

const primary = (spec: AWSClusterSpec) => spec.controlPlaneLoadBalancer;

const UNSUPPORTED: Unsupported<AWSClusterSpec> = {
  'controlPlaneLoadBalancer.targetGroupIPType': (spec) => primary(spec)?.targetGroupIPType === 'ipv6',
};

/** Of network load balancers alone: a classic one has one listener, one health check and no target groups. */
const IGNORED_BY_CLASSIC: Unsupported<LoadBalancerSpec> = {
  additionalListeners: ({ additionalListeners }) => additionalListeners,
  preserveClientIP: ({ preserveClientIP }) => preserveClientIP,
};

/** Where a classic load balancer is worse than the other kind, or does less than is asked for. */
const warnClassic = (spec: LoadBalancerSpec): string[] => {
  if (spec.loadBalancerType !== 'classic') return [];
  const field = 'spec.controlPlaneLoadBalancer';
  const overTls = 'a health check over SSL offers few ciphers, which API servers from v1.30 on may refuse';
  return [
    `${field}.loadBalancerType: classic load balancers are deprecated; nlb is the type to choose`,
    ...(spec.healthCheckProtocol === 'SSL' ? [`${field}.healthCheckProtocol: ${overTls}`] : []),
    ...Object.entries(IGNORED_BY_CLASSIC)
      .filter(([, read]) => isSet(read(spec)))
      .map(([name]) => `${field}.${name}: a classic load balancer has no such thing`),
  ];
};

/** One sentence for each field that is set and that this version does not act on. */
export const warnAWSCluster = ({ spec }: AWSCluster): string[] => [
  ...warnUnsupported(UNSUPPORTED, spec ?? {}),
  ...warnClassic(spec?.controlPlaneLoadBalancer ?? {}),
];
