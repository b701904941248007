import type { Ec2Network, Filter } from '../../../shared/aws/ec2-network.ts';
import { type ClusterName, isOwnedBy, ownershipTag, type Tags } from '../../../shared/aws/tags.ts';
import type { ObservedInternetGateway, ObservedNetwork, ObservedVpc } from '../../../shared/plan/network/model.ts';

export interface ObserveOptions {
  cluster: ClusterName;
  /** spec.network.vpc.id. */
  recordedVpcId: string | undefined;
  /** `creation` also asks for the VPC's DNS settings, `deletion` for the network interfaces in it. */
  purpose: 'creation' | 'deletion';
}

/** VPCs that carry the cluster's tags, and the one on record, whoever it belongs to. Filters never answer NotFound. */
const observeVpcs = async (ec2: Ec2Network, options: ObserveOptions, byTag: Filter): Promise<ObservedVpc[]> => {
  const { cluster, recordedVpcId, purpose } = options;
  const byId = recordedVpcId === undefined ? [] : [{ name: 'vpc-id', values: [recordedVpcId] }];
  const [tagged, recorded] = await Promise.all([
    ec2.describeVpcs([byTag]),
    byId.length > 0 ? ec2.describeVpcs(byId) : [],
  ]);
  const vpcs = [...new Map([...tagged, ...recorded].map((vpc) => [vpc.id, vpc])).values()];
  if (purpose === 'deletion') return vpcs.filter(({ tags }) => isOwnedBy(cluster, tags));
  return Promise.all(
    vpcs.map(async (vpc) => (isOwnedBy(cluster, vpc.tags) ? { ...vpc, ...(await ec2.describeVpcDns(vpc.id)) } : vpc)),
  );
};

const observeGateways = async (
  ec2: Ec2Network,
  byTag: Filter,
  vpcIds: string[],
): Promise<ObservedInternetGateway[]> => {
  const attached = [{ name: 'attachment.vpc-id', values: vpcIds }];
  const [tagged, others] = await Promise.all([
    ec2.describeInternetGateways([byTag]),
    vpcIds.length > 0 ? ec2.describeInternetGateways(attached) : [],
  ]);
  return [...new Map([...tagged, ...others].map((gateway) => [gateway.id, gateway])).values()];
};

/** One snapshot of a cluster's network: its VPCs with all that is in them, its loose gateways, its addresses. */
export const observeNetwork = async (ec2: Ec2Network, options: ObserveOptions): Promise<ObservedNetwork> => {
  const byTag = { name: `tag:${ownershipTag(options.cluster.name)}`, values: ['owned'] };
  const vpcs = await observeVpcs(ec2, options, byTag);
  const vpcIds = vpcs.filter(({ tags }) => isOwnedBy(options.cluster, tags)).map(({ id }) => id);
  const inVpcs = [{ name: 'vpc-id', values: vpcIds }];
  const inside = <T>(read: (filters: readonly Filter[]) => Promise<T[]>): Promise<T[]> =>
    vpcIds.length > 0 ? read(inVpcs) : Promise.resolve([]);

  const [internetGateways, addresses, subnets, routeTables, natGateways, securityGroups, networkInterfaces] =
    await Promise.all([
      observeGateways(ec2, byTag, vpcIds),
      ec2.describeAddresses([byTag]),
      inside(ec2.describeSubnets),
      inside(ec2.describeRouteTables),
      inside(ec2.describeNatGateways),
      inside(ec2.describeSecurityGroups),
      options.purpose === 'deletion' ? inside(ec2.describeNetworkInterfaces) : [],
    ]);
  // The ownership tag names the cluster without its namespace: another one of the same name may have the same.
  const isOurs = ({ tags }: { tags: Tags }) => isOwnedBy(options.cluster, tags);
  return {
    vpcs,
    internetGateways: internetGateways.filter((one) => isOurs(one) || vpcIds.includes(one.vpcId ?? '')),
    addresses: addresses.filter(isOurs),
    subnets,
    routeTables,
    natGateways,
    securityGroups,
    networkInterfaces,
  };
};
