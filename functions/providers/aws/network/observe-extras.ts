import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { Filter } from '../../../../shared/providers/aws/api/ec2-filter.ts';
import type { Ec2NetworkExtraReads } from '../../../../shared/providers/aws/api/ec2-network-extra-reads.ts';
import type { ObservedExtras } from '../../../../shared/providers/aws/plan/network/model-gateways.ts';
import { type ClusterName, ownershipTag } from '../../../../shared/providers/aws/tags.ts';

/** Which of the things that only some clusters have are to be looked for. */
export interface Wanted {
  egressOnly: boolean;
  carrier: boolean;
  endpoint: boolean;
}

const EVERYTHING: Wanted = { egressOnly: true, carrier: true, endpoint: true };

/** What the spec asks for: nobody else's cluster pays calls for it. */
const wantedExtras = (spec: AWSCluster['spec'] | undefined): Wanted => ({
  egressOnly: spec?.network?.vpc?.ipv6 !== undefined,
  carrier: (spec?.network?.subnets ?? []).some(({ zoneType }) => zoneType === 'wavelength-zone'),
  endpoint: spec?.s3Bucket !== undefined,
});

const observeGateways = async (
  ec2: Ec2NetworkExtraReads,
  wanted: Wanted,
  vpcIds: readonly string[],
  egressFilters: readonly Filter[],
): Promise<ObservedExtras> => {
  if (vpcIds.length === 0) return {};
  const inVpcs = [{ name: 'vpc-id', values: vpcIds }];
  const [egress, carriers, endpoints] = await Promise.all([
    wanted.egressOnly ? ec2.describeEgressOnlyInternetGateways(egressFilters) : undefined,
    wanted.carrier ? ec2.describeCarrierGateways(inVpcs) : undefined,
    wanted.endpoint ? ec2.describeVpcEndpoints(inVpcs) : undefined,
  ]);
  return {
    ...(egress ? { egressOnlyGateways: egress.filter(({ vpcId }) => vpcIds.includes(vpcId)) } : {}),
    ...(carriers ? { carrierGateways: carriers } : {}),
    ...(endpoints ? { endpoints } : {}),
  };
};

type Pool = { id?: string; name?: string };

const poolFilters = ({ id, name }: Pool): Filter[] => [
  ...(id ? [{ name: 'ipam-pool-id', values: [id] }] : []),
  ...(name ? [{ name: 'tag:Name', values: [name] }] : []),
];

/** Pools that a VPC is to be numbered by; of no interest once it is there. */
const observePools = async (ec2: Ec2NetworkExtraReads, { network }: AWSCluster['spec']): Promise<ObservedExtras> => {
  const { vpc = {} } = network ?? {};
  const pools = vpc.id ? [] : [vpc.ipamPool, vpc.ipv6?.ipamPool].flatMap((pool) => pool ?? []);
  const found = (await Promise.all(pools.map((pool) => ec2.describeIpamPools(poolFilters(pool))))).flat();
  const publicId = vpc.elasticIpPool?.publicIpv4Pool;
  const free = publicId ? await ec2.describePublicIpv4Pool(publicId) : undefined;
  return {
    ...(pools.length > 0 ? { ipamPools: [...new Map(found.map((pool) => [pool.id, pool])).values()] } : {}),
    ...(publicId ? { publicPool: free === undefined ? 'none' : { free } } : {}),
  };
};

/** What a cluster that is to exist has of these things. */
export const observeForCreation = async (
  ec2: Ec2NetworkExtraReads,
  spec: AWSCluster['spec'],
  cluster: ClusterName,
  vpcIds: readonly string[],
): Promise<ObservedExtras> => {
  const byTag = [{ name: `tag:${ownershipTag(cluster.name)}`, values: ['owned'] }];
  const [gateways, pools] = await Promise.all([
    observeGateways(ec2, wantedExtras(spec), vpcIds, byTag),
    observePools(ec2, spec),
  ]);
  return { ...gateways, ...pools };
};

/**
 * What a cluster that is to go has of these things: all that its VPCs have, once nothing else is in the way or the spec
 * speaks of them, as the spec may have spoken of more before.
 */
export const observeForDeletion = (
  ec2: Ec2NetworkExtraReads,
  spec: AWSCluster['spec'] | undefined,
  vpcIds: readonly string[],
  isBare: boolean,
): Promise<ObservedExtras> => observeGateways(ec2, isBare ? EVERYTHING : wantedExtras(spec), vpcIds, []);
