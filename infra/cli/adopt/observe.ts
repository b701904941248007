/** Finds the remains of a cluster in the account, by its tags. */
import {
  type EC2Client,
  type Filter,
  type Instance,
  paginateDescribeInstances,
  paginateDescribeVpcs,
  type Vpc,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../shared/aws/pages.ts';
import type { SubnetSpec } from '../../../shared/kinds/index.ts';
import { subnetReads } from '../../../shared/providers/aws/network/subnets/api.ts';
import { withIpv6 } from '../../../shared/providers/aws/network/subnets/ipv6.ts';
import { isSecondarySubnet } from '../../../shared/providers/aws/network/subnets/kinds.ts';
import type { ObservedSubnet } from '../../../shared/providers/aws/network/subnets/model.ts';
import { fromTagList, OWNER_TAG, ownershipTag, ROLE_TAG, type Tags } from '../../../shared/providers/aws/tags.ts';
import { type BalancerSources, observeBalancers } from './observe-balancers.ts';
import type { Observed, ObservedBalancer, ObservedInstance } from './observed.ts';

export interface Sources extends BalancerSources {
  ec2: EC2Client;
}

const LIVE = ['pending', 'running', 'stopping', 'stopped'];

/** The cluster to find. Without a namespace, it is the one in the tags. */
export interface Wanted {
  name: string;
  region: string;
  namespace?: string;
}

/** `<namespace>/<name>` on everything that Windlass created; upstream's tags do not contain the namespace. */
const namespaceOf = ({ name, namespace }: Wanted, tags: readonly Tags[]): string => {
  if (namespace !== undefined) return namespace;
  const owners = new Set(tags.flatMap((one) => one[OWNER_TAG] ?? []).filter((owner) => owner.endsWith(`/${name}`)));
  if (owners.size > 1) {
    const which = [...owners].join(', ');
    throw new Error(`clusters of several namespaces have this name: ${which}; choose one with --namespace`);
  }
  return [...owners][0]?.split('/')[0] ?? 'default';
};

/**
 * Whether a resource may belong to the cluster in this namespace, according to its tags or because they do not show the
 * namespace.
 */
const mayBeOf =
  ({ name, namespace }: Wanted) =>
  (tags: Tags): boolean =>
    namespace === undefined || (tags[OWNER_TAG] ?? `${namespace}/${name}`) === `${namespace}/${name}`;

/** An instance, and its location. */
interface Placed {
  instance: ObservedInstance;
  vpcId?: string;
  subnetId?: string;
}

const placed = (one: Instance): Placed => ({
  instance: {
    id: one.InstanceId ?? '',
    zone: one.Placement?.AvailabilityZone ?? '',
    type: one.InstanceType ?? '',
    imageId: one.ImageId ?? '',
    ...(one.KeyName ? { keyName: one.KeyName } : {}),
    ...(one.IamInstanceProfile?.Arn ? { profile: one.IamInstanceProfile.Arn.split('/').at(-1) ?? '' } : {}),
    tags: fromTagList(one.Tags),
  },
  ...(one.VpcId ? { vpcId: one.VpcId } : {}),
  ...(one.SubnetId ? { subnetId: one.SubnetId } : {}),
});

const observeInstances = async (ec2: EC2Client, name: string): Promise<Placed[]> => {
  const Filters = [
    { Name: `tag:${ownershipTag(name)}`, Values: ['owned'] },
    { Name: 'instance-state-name', Values: LIVE },
  ];
  const reservations = await collectPages(
    paginateDescribeInstances({ client: ec2 }, { Filters }),
    (page) => page.Reservations,
  );
  return reservations.flatMap(({ Instances = [] }) => Instances).map(placed);
};

const ownVpc = async (ec2: EC2Client, wanted: Wanted, Filters: Filter[]): Promise<Vpc | undefined> => {
  const all = await collectPages(paginateDescribeVpcs({ client: ec2 }, { Filters }), (page) => page.Vpcs);
  const [vpc, another] = all.filter(({ Tags }) => mayBeOf(wanted)(fromTagList(Tags)));
  if (another) {
    const [id, otherId] = [vpc?.VpcId, another.VpcId];
    throw new Error(
      `${id} and ${otherId} both have the tag ${ownershipTag(wanted.name)}: choose with --namespace, or remove one tag`,
    );
  }
  return vpc;
};

/** As the layout of the network records it: the id is the name. Subnets for pods are not in the spec. */
const specOf = ({ id, cidrBlock, zone, ipv6CidrBlock, tags }: ObservedSubnet): SubnetSpec => {
  const { Name = id, [ROLE_TAG]: role } = tags;
  return withIpv6({ id: Name, cidrBlock, availabilityZone: zone, isPublic: role === 'public' }, ipv6CidrBlock);
};

const ownSubnets = (ownVpcId: string, subnets: readonly ObservedSubnet[]): SubnetSpec[] =>
  subnets
    .filter(({ vpcId, tags }) => vpcId === ownVpcId && !isSecondarySubnet({ tags }))
    .map(specOf)
    .sort((a, b) => a.id.localeCompare(b.id));

/** The location of a cluster without its own VPC, derived from its machines and load balancers. */
const broughtNetwork = (machines: readonly Placed[], balancers: readonly ObservedBalancer[]) => {
  const [id] = machines.flatMap(({ vpcId }) => vpcId ?? []);
  const subnets = [...machines.flatMap(({ subnetId }) => subnetId ?? []), ...balancers.flatMap((one) => one.subnets)];
  return { ...(id ? { vpc: { id } } : {}), subnets: [...new Set(subnets)].sort().map((one) => ({ id: one })) };
};

/**
 * The account's resources of the cluster. Throws if there are none, if they are in two VPCs, or if they belong to
 * clusters in several namespaces.
 */
export const observeAccount = async (
  { ec2, ...balancing }: Sources,
  wanted: Wanted,
): Promise<Omit<Observed, 'nodes' | 'pairs'>> => {
  const { name, region } = wanted;
  const isOwn = mayBeOf(wanted);
  const Filters = [{ Name: `tag:${ownershipTag(name)}`, Values: ['owned'] }];
  const [vpc, allSubnets, allMachines] = await Promise.all([
    ownVpc(ec2, wanted, Filters),
    subnetReads({ client: ec2 }).describeSubnets([{ name: `tag:${ownershipTag(name)}`, values: ['owned'] }]),
    observeInstances(ec2, name),
  ]);
  const subnets = allSubnets.filter(({ tags }) => isOwn(tags));
  const machines = allMachines.filter(({ instance }) => isOwn(instance.tags));
  if (!vpc && machines.length === 0)
    throw new Error(`nothing in ${region} has the tag ${ownershipTag(name)}: is it another region or account?`);
  const namespace = namespaceOf(wanted, [fromTagList(vpc?.Tags), ...machines.map(({ instance }) => instance.tags)]);
  const balancers = await observeBalancers(balancing, { namespace, name });
  const own = vpc?.VpcId
    ? { vpc: { id: vpc.VpcId, cidrBlock: vpc.CidrBlock ?? '' }, subnets: ownSubnets(vpc.VpcId, subnets) }
    : broughtNetwork(machines, balancers);
  return {
    name,
    namespace,
    region,
    ...own,
    zones: [...new Set(subnets.map(({ zone }) => zone))].sort(),
    balancers,
    instances: machines.map(({ instance }) => instance),
  };
};
