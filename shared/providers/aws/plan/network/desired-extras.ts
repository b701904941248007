import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import { buildTags } from '../../tags.ts';
import { addressPoolOf } from '../addresses/pool.ts';
import type { DesiredInput } from './desired-input.ts';
import type { DesiredExtras, PoolRequest } from './model-gateways.ts';

type Vpc = NonNullable<NonNullable<AWSClusterSpec['network']>['vpc']>;

const pool = ({ id, name, netmaskLength }: PoolRequest): PoolRequest => ({
  ...(id ? { id } : {}),
  ...(name ? { name } : {}),
  ...(netmaskLength ? { netmaskLength } : {}),
});

const ipv6Of = ({ ipv6 }: Vpc): DesiredExtras['ipv6'] =>
  ipv6 && {
    ...(ipv6.cidrBlock ? { cidrBlock: ipv6.cidrBlock } : {}),
    ...(ipv6.poolId ? { poolId: ipv6.poolId } : {}),
    ...(ipv6.ipamPool ? { ipamPool: pool(ipv6.ipamPool) } : {}),
  };

/** True where a public subnet stands in a wavelength zone, whose way out is a carrier gateway. */
const hasCarrier = ({ network }: AWSClusterSpec): boolean =>
  (network?.subnets ?? []).some(({ isPublic, zoneType }) => isPublic && zoneType === 'wavelength-zone');

/** Machines read their boot data from the bucket: with an endpoint not over the NAT gateways. */
const endpointOf = ({ cluster, spec }: DesiredInput, region: string | undefined): DesiredExtras['endpoint'] =>
  spec.s3Bucket && region
    ? {
        serviceName: `com.amazonaws.${region}.s3`,
        // Upstream gives it no Name.
        tags: buildTags({ cluster, role: 'common', additional: spec.additionalTags }),
      }
    : undefined;

/** What the AWSCluster asks for besides what every cluster has. */
export const desiredExtras = (input: DesiredInput): DesiredExtras => {
  const { cluster, spec } = input;
  const vpc = spec.network?.vpc ?? {};
  const common = (suffix: string) =>
    buildTags({ cluster, name: `${cluster.name}-${suffix}`, role: 'common', additional: spec.additionalTags });
  return {
    secondaryBlocks: (vpc.secondaryCidrBlocks ?? []).map(({ ipv4CidrBlock }) => ipv4CidrBlock),
    ...(vpc.ipamPool ? { ipamPool: pool(vpc.ipamPool) } : {}),
    ipv6: ipv6Of(vpc),
    ...(vpc.ipv6 ? { egressOnlyGatewayTags: common('eigw') } : {}),
    ...(hasCarrier(spec) ? { carrierGatewayTags: common('igw') } : {}),
    endpoint: endpointOf(input, input.region ?? spec.region),
    elasticIpPool: addressPoolOf(vpc.elasticIpPool),
    emptiesDefaultGroup: vpc.emptyRoutesDefaultVPCSecurityGroup === true,
  };
};
