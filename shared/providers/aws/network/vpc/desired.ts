import { canonicalCidr } from '../../../../cidr.ts';
import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import { buildTags, ownershipTag, type Tags } from '../../tags.ts';
import type { DesiredInput } from '../desired-input.ts';
import type { PoolRequest, WantedVpc } from './model.ts';

type Vpc = NonNullable<NonNullable<AWSClusterSpec['network']>['vpc']>;

const pool = ({ id, name, netmaskLength }: PoolRequest): PoolRequest => ({
  ...(id ? { id } : {}),
  ...(name ? { name } : {}),
  ...(netmaskLength ? { netmaskLength } : {}),
});

const ipv6Of = ({ ipv6 }: Vpc): WantedVpc['ipv6'] =>
  ipv6 && {
    ...(ipv6.cidrBlock ? { cidrBlock: canonicalCidr(ipv6.cidrBlock) } : {}),
    ...(ipv6.poolId ? { poolId: ipv6.poolId } : {}),
    ...(ipv6.ipamPool ? { ipamPool: pool(ipv6.ipamPool) } : {}),
  };

type Tagged = Pick<DesiredInput, 'cluster' | 'spec'>;

/**
 * The tags of the VPC itself take precedence over those of all resources. Upstream replaces them with the actual tags
 * of the VPC, including the ownership tag: in a cluster that was moved, they are former values of additionalTags.
 */
const additionalTags = ({ cluster, spec }: Tagged, { tags = {} }: Vpc): Tags =>
  ownershipTag(cluster.name) in tags ? { ...tags, ...spec.additionalTags } : { ...spec.additionalTags, ...tags };

/** All tags of a cluster's VPC, which are set by the call that creates it. */
export const vpcTags = (input: Tagged): Tags =>
  buildTags({
    cluster: input.cluster,
    name: `${input.cluster.name}-vpc`,
    role: 'common',
    additional: additionalTags(input, input.spec.network?.vpc ?? {}),
  });

/** The range if the spec has none. */
export const DEFAULT_CIDR = '10.0.0.0/16';

export const desiredVpc = (input: DesiredInput): WantedVpc => {
  const vpc = input.spec.network?.vpc ?? {};
  return {
    vpc: {
      ...(vpc.id ? { recordedId: vpc.id } : {}),
      cidrBlock: canonicalCidr(vpc.cidrBlock ?? DEFAULT_CIDR),
      tags: vpcTags(input),
    },
    ...(vpc.ipamPool ? { ipamPool: pool(vpc.ipamPool) } : {}),
    ipv6: ipv6Of(vpc),
  };
};
