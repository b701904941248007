/**
 * The networks of a region, read in pages for all clusters, but offered as the reads of a single cluster. The number of
 * calls grows with the pages, not with the clusters.
 */
import type { Filter } from '../../../../shared/providers/aws/network/filters.ts';
import type { NetworkView } from '../../../../shared/providers/aws/network/observe.ts';
import { ownershipTag, ROLE_TAG, type Tags } from '../../../../shared/providers/aws/tags.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';

/** The maximum number of values of a filter. */
const MAX_VALUES = 200;
const CONCURRENCY = 2;

const BY_ROLE: Filter = { name: 'tag-key', values: [ROLE_TAG] };

interface Listed {
  id?: string;
  vpcId?: string | undefined;
  tags: Tags;
}

const chunked = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_VALUES) }, (_, index) =>
    ids.slice(index * MAX_VALUES, (index + 1) * MAX_VALUES),
  );

const ofVpcs = async <T>(
  read: (filters: readonly Filter[]) => Promise<T[]>,
  vpcIds: readonly string[],
  name = 'vpc-id',
): Promise<T[]> => (await mapConcurrently(chunked(vpcIds), CONCURRENCY, (values) => read([{ name, values }]))).flat();

const unique = <T extends { id: string }>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [thing.id, thing])).values(),
];

const isIn = ({ name, values }: Filter, { tags, vpcId }: Listed): boolean =>
  name.startsWith('tag:') ? values.includes(tags[name.slice('tag:'.length)] ?? '') : values.includes(vpcId ?? '');

const KNOWN = /^(tag:.+|vpc-id|attachment\.vpc-id)$/;

/** The listed resources by the keys of their tags. */
const byTagKey = <T extends Listed>(listed: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, T[]>();
  for (const one of listed)
    for (const key of Object.keys(one.tags)) {
      const known = found.get(key);
      if (known) known.push(one);
      else found.set(key, [one]);
    }
  return found;
};

/**
 * Answers from the listing; a resource that is requested by id but not listed is looked up separately. Every cluster
 * makes these queries, so no query may iterate over the resources of all clusters.
 */
const answering = <T extends Listed>(listed: readonly T[], ask: (filters: readonly Filter[]) => Promise<T[]>) => {
  const byVpc = Map.groupBy(listed, ({ vpcId }) => vpcId);
  const byTag = byTagKey(listed);
  const near = ({ name, values }: Filter): readonly T[] =>
    name.startsWith('tag:')
      ? (byTag.get(name.slice('tag:'.length)) ?? [])
      : values.flatMap((id) => byVpc.get(id) ?? []);
  return async (filters: readonly Filter[]): Promise<T[]> => {
    if (!filters.every(({ name }) => KNOWN.test(name))) return ask(filters);
    const [fewest = listed] = filters.map(near).sort((a, b) => a.length - b.length);
    return fewest.filter((one) => filters.every((filter) => isIn(filter, one)));
  };
};

/** A read that is made at most once, and only if needed. */
const once = <T>(read: () => Promise<T[]>) => {
  let made: Promise<T[]> | undefined;
  return () => {
    made ??= read();
    return made;
  };
};

const keyed = <T>(read: (id: string) => Promise<T>) => {
  const known = new Map<string, Promise<T>>();
  return (id: string): Promise<T> => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
};

/** Resources that only some clusters have; they are listed when first needed. */
const extras = (ec2: NetworkView, vpcIds: readonly string[]) => {
  const egress = once(() => ec2.describeEgressOnlyInternetGateways([BY_ROLE]));
  const carriers = once(() => ofVpcs(ec2.describeCarrierGateways, vpcIds));
  const endpoints = once(() => ofVpcs(ec2.describeVpcEndpoints, vpcIds));
  const from =
    <T extends Listed>(read: () => Promise<T[]>, ask: (filters: readonly Filter[]) => Promise<T[]>) =>
    async (filters: readonly Filter[]) =>
      answering(await read(), ask)(filters);
  return {
    describeEgressOnlyInternetGateways: from(egress, ec2.describeEgressOnlyInternetGateways),
    describeCarrierGateways: from(carriers, ec2.describeCarrierGateways),
    describeVpcEndpoints: from(endpoints, ec2.describeVpcEndpoints),
    describePublicIpv4Pool: keyed(ec2.describePublicIpv4Pool),
  };
};

/**
 * Attributes that EC2 describes only for one VPC at a time are assumed to be as desired; a caller may replace
 * `describeVpcDns` in the result.
 */
const UNASKED = async () => ({ dnsHostnames: true, dnsSupport: true });

/**
 * Lists the resources with the role tag of any cluster, or, if `clusters` are given, those with the tags of these
 * clusters.
 */
const taggedBy = <T>(
  read: (filters: readonly Filter[]) => Promise<T[]>,
  clusters: readonly string[] | undefined,
): Promise<T[]> => (clusters ? ofVpcs(read, clusters.map(ownershipTag), 'tag-key') : read([BY_ROLE]));

/**
 * Lists the contents of the VPCs, and the resources with cluster tags: of all clusters in the region, or only of the
 * given ones. Throws EC2's errors.
 */
export const listNetworks = async (
  ec2: NetworkView,
  vpcIds: readonly string[],
  clusters?: readonly string[],
): Promise<NetworkView> => {
  const [tagged, recorded, loose, attached, addresses, subnets, routeTables, natGateways, groups] = await Promise.all([
    taggedBy(ec2.describeVpcs, clusters),
    ofVpcs(ec2.describeVpcs, vpcIds),
    taggedBy(ec2.describeInternetGateways, clusters),
    ofVpcs(ec2.describeInternetGateways, vpcIds, 'attachment.vpc-id'),
    taggedBy(ec2.describeAddresses, clusters),
    ofVpcs(ec2.describeSubnets, vpcIds),
    ofVpcs(ec2.describeRouteTables, vpcIds),
    ofVpcs(ec2.describeNatGateways, vpcIds),
    ofVpcs(ec2.describeSecurityGroups, vpcIds),
  ]);
  const vpcs = unique([...tagged, ...recorded]).map((vpc) => ({ ...vpc, vpcId: vpc.id }));
  return {
    ...ec2,
    ...extras(ec2, vpcIds),
    describeVpcs: answering(vpcs, async () => []),
    describeVpcDns: UNASKED,
    describeInternetGateways: answering(unique([...loose, ...attached]), ec2.describeInternetGateways),
    describeAddresses: answering(addresses, ec2.describeAddresses),
    describeSubnets: answering(subnets, ec2.describeSubnets),
    describeRouteTables: answering(routeTables, ec2.describeRouteTables),
    describeNatGateways: answering(natGateways, ec2.describeNatGateways),
    describeSecurityGroups: answering(groups, ec2.describeSecurityGroups),
  };
};
