import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { Filter } from '../../../../shared/providers/aws/api/ec2-filter.ts';
import type { Ec2NetworkExtraReads } from '../../../../shared/providers/aws/api/ec2-network-extra-reads.ts';
import type { Ec2NetworkReads } from '../../../../shared/providers/aws/api/ec2-network-reads.ts';
import { attachedTo, inVpcs } from '../../../../shared/providers/aws/api/network-filters.ts';
import type {
  ObservedInternetGateway,
  ObservedNetwork,
  ObservedVpc,
} from '../../../../shared/providers/aws/plan/network/model.ts';
import { isOwnVpc } from '../../../../shared/providers/aws/plan/network/vpc.ts';
import { type ClusterName, isOwnedBy, ownershipTag, type Tags } from '../../../../shared/providers/aws/tags.ts';
import { observeForCreation, observeForDeletion } from './observe-extras.ts';

/** What a network is looked at with. */
export type NetworkView = Ec2NetworkReads & Ec2NetworkExtraReads;

export interface ObserveOptions {
  cluster: ClusterName;
  /** spec.network.vpc.id. */
  recordedVpcId: string | undefined;
  /** That VPC is the cluster's, whatever its tags say. */
  isRecordedOwn?: boolean;
  /** `creation` also asks for the VPC's DNS settings, `deletion` for the network interfaces in it. */
  purpose: 'creation' | 'deletion';
  /** Ids that the spec names, which may be of another VPC. */
  /** What it asks for decides what else is looked at. */
  spec?: AWSCluster['spec'];
  named?: { subnets: readonly string[]; securityGroups: readonly string[] };
}

const unique = <T extends { id: string }>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [thing.id, thing])).values(),
];

/** VPCs that carry the cluster's tags, and the one on record, whoever it belongs to. Filters never answer NotFound. */
const observeVpcs = async (ec2: NetworkView, options: ObserveOptions, byTag: Filter): Promise<ObservedVpc[]> => {
  const { cluster, recordedVpcId, isRecordedOwn = false, purpose } = options;
  const tagged = await ec2.describeVpcs([byTag]);
  const isFound = recordedVpcId === undefined || tagged.some(({ id }) => id === recordedVpcId);
  const recorded = isFound ? [] : await ec2.describeVpcs([{ name: 'vpc-id', values: [recordedVpcId] }]);
  const vpcs = unique([...tagged, ...recorded])
    .filter(({ id, tags }) => id === recordedVpcId || isOwnedBy(cluster, tags))
    .map((vpc) => (isRecordedOwn && vpc.id === recordedVpcId ? { ...vpc, isOnRecord: true } : vpc));
  if (purpose === 'deletion') return vpcs;
  return Promise.all(
    vpcs.map(async (vpc) => (isOwnVpc(cluster, vpc) ? { ...vpc, ...(await ec2.describeVpcDns(vpc.id)) } : vpc)),
  );
};

const observeGateways = async (
  ec2: NetworkView,
  byTag: Filter,
  vpcIds: string[],
): Promise<ObservedInternetGateway[]> => {
  const tagged = await ec2.describeInternetGateways([byTag]);
  // A VPC has one at most.
  const open = vpcIds.filter((id) => !tagged.some(({ vpcId }) => vpcId === id));
  const others = open.length > 0 ? await ec2.describeInternetGateways(attachedTo(open)) : [];
  return unique([...tagged, ...others]);
};

/** `inside` and what is named and not among it: asked for only where something is amiss. */
const withNamed = async <T extends { id: string }>(
  inside: T[],
  ids: readonly string[] = [],
  read: (filters: readonly Filter[]) => Promise<T[]>,
  filter: string,
): Promise<T[]> => {
  const others = [...new Set(ids)].filter((id) => !inside.some((one) => one.id === id));
  return others.length > 0 ? [...inside, ...(await read([{ name: filter, values: others }]))] : inside;
};

/** One snapshot of a cluster's network: its VPCs with all that is in them, its loose gateways, its addresses; without its bastions. */
export const observeNetwork = async (ec2: NetworkView, options: ObserveOptions): Promise<ObservedNetwork> => {
  const { cluster, named, purpose } = options;
  const byTag = { name: `tag:${ownershipTag(cluster.name)}`, values: ['owned'] };
  const vpcs = await observeVpcs(ec2, options, byTag);
  // The ownership tag names the cluster without its namespace: another one of the same name may have the same.
  const isOurs = ({ tags }: { tags: Tags }) => isOwnedBy(cluster, tags);
  const vpcIds = vpcs.map(({ id }) => id);
  const inside = <T>(read: (filters: readonly Filter[]) => Promise<T[]>): Promise<T[]> =>
    vpcIds.length > 0 ? read(inVpcs(vpcIds)) : Promise.resolve([]);

  const [internetGateways, addresses, subnets, routeTables, natGateways, securityGroups] = await Promise.all([
    observeGateways(ec2, byTag, vpcIds),
    ec2.describeAddresses([byTag]),
    inside(ec2.describeSubnets).then((all) => withNamed(all, named?.subnets, ec2.describeSubnets, 'subnet-id')),
    inside(ec2.describeRouteTables),
    inside(ec2.describeNatGateways),
    // With the AWSCluster gone nobody says in whose VPC the groups are.
    (vpcIds.length === 0 && purpose === 'deletion'
      ? ec2.describeSecurityGroups([byTag])
      : inside(ec2.describeSecurityGroups)
    ).then((all) => withNamed(all, named?.securityGroups, ec2.describeSecurityGroups, 'group-id')),
  ]);
  const ownVpcs = vpcs.filter((vpc) => isOwnVpc(cluster, vpc)).map(({ id }) => id);
  const extras = await (purpose === 'creation' && options.spec
    ? observeForCreation(ec2, options.spec, cluster, ownVpcs)
    : observeForDeletion(ec2, options.spec, ownVpcs, !subnets.some(({ vpcId }) => ownVpcs.includes(vpcId))));
  const strayGroups = securityGroups.filter((one) => isOurs(one) && !ownVpcs.includes(one.vpcId)).map(({ id }) => id);
  return {
    vpcs,
    internetGateways: internetGateways.filter((one) => isOurs(one) || vpcIds.includes(one.vpcId ?? '')),
    addresses: addresses.filter(isOurs),
    subnets,
    routeTables,
    natGateways,
    securityGroups,
    ...extras,
    networkInterfaces: purpose === 'deletion' ? await observeInterfaces(ec2, ownVpcs, strayGroups) : [],
  };
};

/** Everything in the VPCs that are ours; of others, which may be full of strangers, only what uses our groups. */
const observeInterfaces = async (ec2: NetworkView, vpcIds: readonly string[], groupIds: readonly string[]) => {
  const byGroup = { name: 'group-id', values: groupIds };
  const asked = [...inVpcs(vpcIds), byGroup].filter(({ values }) => values.length > 0);
  return unique((await Promise.all(asked.map((filter) => ec2.describeNetworkInterfaces([filter])))).flat());
};
