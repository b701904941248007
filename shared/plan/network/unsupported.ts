import type { AWSCluster } from '../../kinds/index.ts';

type Spec = AWSCluster['spec'];

const isEdge = ({ zoneType }: { zoneType?: string }): boolean =>
  zoneType === 'local-zone' || zoneType === 'wavelength-zone';

const isFilled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;

const vpcFields = ({ network }: Spec): [string, boolean][] => {
  const vpc = network?.vpc ?? {};
  return [
    ['spec.network.vpc.ipv6', vpc.ipv6 !== undefined],
    ['spec.network.vpc.secondaryCidrBlocks', isFilled(vpc.secondaryCidrBlocks)],
    ['spec.network.vpc.ipamPool', vpc.ipamPool !== undefined],
    ['spec.network.vpc.carrierGatewayId', vpc.carrierGatewayId !== undefined],
    ['spec.network.vpc.elasticIpPool', vpc.elasticIpPool !== undefined],
    ['spec.network.vpc.emptyRoutesDefaultVPCSecurityGroup', vpc.emptyRoutesDefaultVPCSecurityGroup === true],
    ['spec.network.vpc.privateDnsHostnameTypeOnLaunch', vpc.privateDnsHostnameTypeOnLaunch !== undefined],
  ];
};

const subnetFields = ({ network }: Spec): [string, boolean][] => {
  const subnets = network?.subnets ?? [];
  return [
    ['an edge zone in spec.network.subnets', subnets.some(isEdge)],
    ['IPv6 in spec.network.subnets', subnets.some(({ isIpv6, ipv6CidrBlock }) => isIpv6 || ipv6CidrBlock)],
  ];
};

/**
 * What the spec asks for and this version does not make, by field. Nothing is made while the list is not empty: a network
 * that lacks what was asked for would have to be taken down again.
 */
export const unsupportedFields = (spec: Spec): string[] => {
  const fields: [string, boolean][] = [
    ...vpcFields(spec),
    ...subnetFields(spec),
    ['spec.secondaryControlPlaneLoadBalancer', spec.secondaryControlPlaneLoadBalancer !== undefined],
  ];
  return fields.flatMap(([field, isAsked]) => (isAsked ? [field] : []));
};
