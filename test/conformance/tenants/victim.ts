/** Everything of alice's that an attack could change: objects, resources in the account, and nodes of the cluster. */
import {
  DescribeAddressesCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type EC2Client,
  type Tag,
} from '@aws-sdk/client-ec2';
import {
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { TestLaptop } from '../../end-to-end/laptop.ts';
import { CLUSTER, pathOf, VICTIM } from './world.ts';

/** Lines of text, so that a difference is readable. */
export type Belongings = readonly string[];

const OWNER = 'windlass.dev/cluster';

const isAlices = ({ Tags = [] }: { Tags?: Tag[] }): boolean =>
  Tags.some(({ Key, Value }) => Key === OWNER && Value?.startsWith(`${VICTIM}/`));

const tagsOf = (tags: readonly { Key?: string; Value?: string }[] = []): string =>
  tags
    .map(({ Key, Value }) => `${Key}=${Value}`)
    .toSorted()
    .join(' ');

const inEc2 = async (ec2: EC2Client): Promise<string[]> => {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
  const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}));
  const instances = Reservations.flatMap(({ Instances = [] }) => Instances).filter(isAlices);
  const rules = (group: (typeof SecurityGroups)[number]): string =>
    JSON.stringify([group.IpPermissions, group.IpPermissionsEgress]);
  return [
    ...instances.map(({ InstanceId, State, Tags, SecurityGroups: groups }) =>
      [InstanceId, State?.Name, groups?.map(({ GroupId }) => GroupId), tagsOf(Tags)].join(' '),
    ),
    ...Vpcs.filter(isAlices).map(({ VpcId, Tags }) => `${VpcId} ${tagsOf(Tags)}`),
    ...Subnets.filter(isAlices).map(({ SubnetId, Tags }) => `${SubnetId} ${tagsOf(Tags)}`),
    ...SecurityGroups.filter(isAlices).map((group) => `${group.GroupId} ${rules(group)} ${tagsOf(group.Tags)}`),
    ...Addresses.filter(isAlices).map(({ AllocationId, AssociationId }) => `${AllocationId} ${AssociationId}`),
  ];
};

const inBalancing = async ({ access }: TestLaptop): Promise<string[]> => {
  const client = new ElasticLoadBalancingV2Client({
    region: access.region,
    endpoint: access.awsUrl,
    credentials: access.credentials,
  });
  const { LoadBalancers = [] } = await client.send(new DescribeLoadBalancersCommand({}));
  const arns = LoadBalancers.flatMap(({ LoadBalancerArn }) => LoadBalancerArn ?? []);
  const { TagDescriptions = [] } = await client.send(new DescribeTagsCommand({ ResourceArns: arns }));
  client.destroy();
  return TagDescriptions.filter(isAlices).map(({ ResourceArn, Tags }) => `${ResourceArn} ${tagsOf(Tags)}`);
};

const KINDS = [
  pathOf(VICTIM, 'clusters'),
  pathOf(VICTIM, 'machines'),
  pathOf(VICTIM, 'machinesets'),
  pathOf(VICTIM, 'awsclusters', 'infrastructure'),
  pathOf(VICTIM, 'awsmachines', 'infrastructure'),
  pathOf(VICTIM, 'secrets', 'v1'),
];

/** An object without its version, timestamps and status, whose changes are expected. */
const essence = ({ kind, metadata, ...rest }: KubeObject & { spec?: unknown; data?: unknown }): string =>
  JSON.stringify([
    kind,
    metadata.name,
    metadata.uid,
    metadata.deletionTimestamp,
    metadata.labels,
    metadata.ownerReferences,
    rest.spec ?? rest.data,
  ]);

const inTheApi = async (laptop: TestLaptop): Promise<string[]> => {
  const lists = await Promise.all(KINDS.map((path) => laptop.list<KubeObject>(path)));
  return lists.flat().map(essence);
};

/** Nodes without their status, and without annotations, which cluster and kubelet write. */
const inTheWorkload = async (laptop: TestLaptop): Promise<string[]> => {
  const { items } = await (await laptop.workload(CLUSTER, VICTIM)).listNode();
  return items.map(({ metadata, spec }) =>
    JSON.stringify(['Node', metadata?.name, metadata?.uid, metadata?.deletionTimestamp, metadata?.labels, spec]),
  );
};

export const belongingsOf = async (laptop: TestLaptop): Promise<Belongings> => {
  const parts = [inEc2(laptop.ec2), inBalancing(laptop), inTheApi(laptop), inTheWorkload(laptop)];
  return (await Promise.all(parts)).flat().toSorted();
};
