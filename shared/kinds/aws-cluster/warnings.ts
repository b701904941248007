import { type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

const vpc = (spec: AWSClusterSpec) => spec.network?.vpc;
const primary = (spec: AWSClusterSpec) => spec.controlPlaneLoadBalancer;

const UNSUPPORTED: Unsupported<AWSClusterSpec> = {
  secondaryControlPlaneLoadBalancer: (spec) => spec.secondaryControlPlaneLoadBalancer,
  'controlPlaneLoadBalancer.targetGroupIPType': (spec) => primary(spec)?.targetGroupIPType === 'ipv6',
  'network.vpc.ipv6': (spec) => vpc(spec)?.ipv6,
  'network.vpc.ipamPool': (spec) => vpc(spec)?.ipamPool,
  'network.vpc.secondaryCidrBlocks': (spec) => vpc(spec)?.secondaryCidrBlocks,
  'network.vpc.elasticIpPool': (spec) => vpc(spec)?.elasticIpPool,
  'network.vpc.carrierGatewayId': (spec) => vpc(spec)?.carrierGatewayId,
  'network.vpc.emptyRoutesDefaultVPCSecurityGroup': (spec) => vpc(spec)?.emptyRoutesDefaultVPCSecurityGroup,
  'network.vpc.privateDnsHostnameTypeOnLaunch': (spec) => vpc(spec)?.privateDnsHostnameTypeOnLaunch,
};

/** One sentence for each field that is set and that this version does not act on. */
export const warnAWSCluster = ({ spec }: AWSCluster): string[] => warnUnsupported(UNSUPPORTED, spec ?? {});
