import { findPartition } from '../../partitions.ts';
import type { AWSClusterTemplate } from '../aws-cluster-template/schema.ts';
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

const BALANCERS = ['controlPlaneLoadBalancer', 'secondaryControlPlaneLoadBalancer'] as const;

const HOSTS = 'has no effect: /etc/hosts maps the endpoint to the machine itself while kubeadm init runs';

/** Fields that are stored but have no effect; `prefix` is the path of the spec. */
const warnWithoutEffect = (spec: AWSClusterSpec, prefix: string): string[] => {
  const own = spec.region === undefined ? undefined : findPartition(spec.region)?.name;
  const isWrong = spec.partition && own !== undefined && spec.partition !== own;
  return [
    ...(isWrong ? [`${prefix}.partition: has no effect: region ${spec.region} is in partition ${own}`] : []),
    ...BALANCERS.filter((name) => spec[name]?.disableHostsRewrite).map(
      (name) => `${prefix}.${name}.disableHostsRewrite: ${HOSTS}`,
    ),
  ];
};

/** One sentence for each field of a load balancer that works differently for another type. */
const warnBalancers = (spec: AWSClusterSpec, prefix: string): string[] =>
  [...warnClassic(spec.controlPlaneLoadBalancer ?? {}), ...warnSecondary(spec)].map((warning) =>
    warning.replace(/^spec/, prefix),
  );

const warnSpec = (spec: AWSClusterSpec, prefix: string): string[] => [
  ...warnBalancers(spec, prefix),
  ...warnWithoutEffect(spec, prefix),
];

/** One sentence for each field that does less than its name suggests. */
export const warnAWSCluster = ({ spec }: AWSCluster): string[] => warnSpec(spec ?? {}, 'spec');

/** The same for the template of a ClusterClass. */
export const warnAWSClusterTemplate = ({ spec }: AWSClusterTemplate): string[] =>
  warnSpec(spec?.template.spec ?? {}, 'spec.template.spec');
