/** Looks for what is left of a cluster in the account, by its tags. */
import {
  type EC2Client,
  type Filter,
  type Instance,
  paginateDescribeInstances,
  paginateDescribeSubnets,
  paginateDescribeVpcs,
  type Vpc,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../shared/aws/pages.ts';
import { fromTagList, OWNER_TAG, ownershipTag, type Tags } from '../../../shared/aws/tags.ts';
import { type BalancerSources, observeBalancers } from './observe-balancers.ts';
import type { Observed, ObservedBalancer, ObservedInstance } from './observed.ts';

export interface Sources extends BalancerSources {
  ec2: EC2Client;
}

const LIVE = ['pending', 'running', 'stopping', 'stopped'];

/** `<namespace>/<name>` on everything that was made here; upstream's tags do not say the namespace. */
const namespaceOf = (name: string, tags: readonly Tags[]): string => {
  const owners = new Set(tags.flatMap((one) => one[OWNER_TAG] ?? []).filter((owner) => owner.endsWith(`/${name}`)));
  if (owners.size > 1) throw new Error(`clusters of several namespaces have this name: ${[...owners].join(', ')}`);
  return [...owners][0]?.split('/')[0] ?? 'default';
};

/** An instance, and where it stands. */
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

const ownVpc = async (ec2: EC2Client, name: string, Filters: Filter[]): Promise<Vpc | undefined> => {
  const [vpc, another] = await collectPages(paginateDescribeVpcs({ client: ec2 }, { Filters }), (page) => page.Vpcs);
  if (another)
    throw new Error(`${vpc?.VpcId} and ${another.VpcId} both have the tag ${ownershipTag(name)}: take it from one`);
  return vpc;
};

/** Where a cluster without a VPC of its own stands: its machines and load balancers tell. */
const broughtNetwork = (machines: readonly Placed[], balancers: readonly ObservedBalancer[]) => {
  const [id] = machines.flatMap(({ vpcId }) => vpcId ?? []);
  const subnets = [...machines.flatMap(({ subnetId }) => subnetId ?? []), ...balancers.flatMap((one) => one.subnets)];
  return { ...(id ? { vpc: { id } } : {}), subnets: [...new Set(subnets)].sort() };
};

/** What the account has of the cluster. Throws where it has nothing, or two VPCs. */
export const observeAccount = async (
  { ec2, ...balancing }: Sources,
  { name, region }: { name: string; region: string },
): Promise<Omit<Observed, 'nodes' | 'pairs'>> => {
  const Filters = [{ Name: `tag:${ownershipTag(name)}`, Values: ['owned'] }];
  const [vpc, subnets, machines] = await Promise.all([
    ownVpc(ec2, name, Filters),
    collectPages(paginateDescribeSubnets({ client: ec2 }, { Filters }), (page) => page.Subnets),
    observeInstances(ec2, name),
  ]);
  if (!vpc && machines.length === 0)
    throw new Error(`nothing in ${region} has the tag ${ownershipTag(name)}: is it another region or account?`);
  const namespace = namespaceOf(name, [fromTagList(vpc?.Tags), ...machines.map(({ instance }) => instance.tags)]);
  const balancers = await observeBalancers(balancing, { namespace, name });
  const own = vpc?.VpcId
    ? { vpc: { id: vpc.VpcId, cidrBlock: vpc.CidrBlock ?? '' }, subnets: [] }
    : broughtNetwork(machines, balancers);
  return {
    name,
    namespace,
    region,
    ...own,
    zones: [...new Set(subnets.flatMap(({ AvailabilityZone }) => AvailabilityZone ?? []))].sort(),
    balancers,
    instances: machines.map(({ instance }) => instance),
  };
};
