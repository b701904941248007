import type { LoadBalancerSpec } from '../schema/aws-load-balancer.ts';
import type { CniIngressRule, NetworkSpec, VpcSpec } from '../schema/aws-network.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

const VPC_CIDR = '10.0.0.0/16';

/** The ports that Calico needs between nodes: upstream opens them if the user does not configure a CNI. */
const CALICO: readonly CniIngressRule[] = [
  { description: 'bgp (calico)', protocol: 'tcp', fromPort: 179, toPort: 179 },
  { description: 'IP-in-IP (calico)', protocol: '4', fromPort: -1, toPort: 65535 },
];

/** A VPC that will be created gets a block; an existing one, or one with a range from a pool, does not. */
const defaultVpc = (vpc: VpcSpec = {}): VpcSpec => {
  const isNumbered = vpc.id || vpc.ipamPool || vpc.cidrBlock;
  return {
    availabilityZoneUsageLimit: 3,
    availabilityZoneSelection: 'Ordered',
    subnetSchema: 'PreferPrivate',
    ...vpc,
    ...(isNumbered ? {} : { cidrBlock: VPC_CIDR }),
  };
};

const defaultNetwork = (network: NetworkSpec = {}): NetworkSpec => ({
  ...network,
  vpc: defaultVpc(network.vpc),
  cni: network.cni ?? { cniIngressRules: [...CALICO] },
});

/** Upstream's default is a classic load balancer (docs/compatibility.md). */
const defaultPrimary = (spec: LoadBalancerSpec = {}): LoadBalancerSpec =>
  spec.loadBalancerType === 'disabled'
    ? spec
    : { ...spec, scheme: spec.scheme ?? 'internet-facing', loadBalancerType: spec.loadBalancerType ?? 'nlb' };

const defaultSecondary = (spec: LoadBalancerSpec): LoadBalancerSpec => ({
  ...spec,
  scheme: spec.scheme ?? 'internal',
  loadBalancerType: spec.loadBalancerType ?? 'nlb',
});

const defaultBastion = (bastion: AWSClusterSpec['bastion']): AWSClusterSpec['bastion'] => {
  const isClosed = !bastion || bastion.disableIngressRules || (bastion.allowedCIDRBlocks ?? []).length > 0;
  return isClosed ? bastion : { ...bastion, allowedCIDRBlocks: ['0.0.0.0/0', '::/0'] };
};

/**
 * The defaults of CAPA's AWSCluster (api/v1beta2/defaults.go), and the VPC's CIDR, which CAPA writes when it creates
 * the VPC. An absent region remains absent, and means the region of the installation.
 */
export const defaultAWSClusterSpec = (spec: AWSClusterSpec = {}): AWSClusterSpec => {
  const secondary = spec.secondaryControlPlaneLoadBalancer;
  return {
    ...spec,
    network: defaultNetwork(spec.network),
    identityRef: spec.identityRef ?? { kind: 'AWSClusterControllerIdentity', name: 'default' },
    controlPlaneLoadBalancer: defaultPrimary(spec.controlPlaneLoadBalancer),
    ...(secondary ? { secondaryControlPlaneLoadBalancer: defaultSecondary(secondary) } : {}),
    ...(spec.bastion ? { bastion: defaultBastion(spec.bastion) } : {}),
  };
};

export const defaultAWSCluster = (awsCluster: AWSCluster): AWSCluster => ({
  ...awsCluster,
  spec: defaultAWSClusterSpec(awsCluster.spec),
});
