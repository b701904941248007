/** Looks for what is left of a cluster: by its tags in the account, and by its nodes where its CA's key is at hand. */
import {
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import {
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { parse } from 'yaml';
import { fromTagList, isOwnedBy, OWNER_TAG, ownershipTag, type Tags } from '../../../shared/aws/tags.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';
import type { Observed, ObservedInstance, ObservedNode, StoredCluster } from './observed.ts';

export interface Sources {
  ec2: EC2Client;
  elb: ElasticLoadBalancingV2Client;
}

const LIVE = ['pending', 'running', 'stopping', 'stopped'];
/** Of a DescribeTags. */
const TAGS_AT_ONCE = 20;

/** `<namespace>/<name>` on everything that was made here; upstream's tags do not say the namespace. */
const namespaceOf = (name: string, tags: readonly Tags[]): string => {
  const owners = new Set(tags.flatMap((one) => one[OWNER_TAG] ?? []).filter((owner) => owner.endsWith(`/${name}`)));
  if (owners.size > 1) throw new Error(`clusters of several namespaces have this name: ${[...owners].join(', ')}`);
  return [...owners][0]?.split('/')[0] ?? 'default';
};

const observeInstances = async (ec2: EC2Client, name: string): Promise<ObservedInstance[]> => {
  const Filters = [
    { Name: `tag:${ownershipTag(name)}`, Values: ['owned'] },
    { Name: 'instance-state-name', Values: LIVE },
  ];
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
  return Reservations.flatMap(({ Instances = [] }) => Instances).map((one) => ({
    id: one.InstanceId ?? '',
    zone: one.Placement?.AvailabilityZone ?? '',
    type: one.InstanceType ?? '',
    imageId: one.ImageId ?? '',
    ...(one.KeyName ? { keyName: one.KeyName } : {}),
    ...(one.IamInstanceProfile?.Arn ? { profile: one.IamInstanceProfile.Arn.split('/').at(-1) ?? '' } : {}),
    tags: fromTagList(one.Tags),
  }));
};

/** The network load balancer of the API: the cluster's own with the role of one. */
const observeBalancer = async (
  elb: ElasticLoadBalancingV2Client,
  owner: { namespace: string; name: string },
): Promise<Pick<Observed, 'endpoint' | 'balancer'>> => {
  const { LoadBalancers = [] } = await elb.send(new DescribeLoadBalancersCommand({}));
  for (let at = 0; at < LoadBalancers.length; at += TAGS_AT_ONCE) {
    const some = LoadBalancers.slice(at, at + TAGS_AT_ONCE);
    const ResourceArns = some.flatMap(({ LoadBalancerArn }) => LoadBalancerArn ?? []);
    const { TagDescriptions = [] } = await elb.send(new DescribeTagsCommand({ ResourceArns }));
    const own = TagDescriptions.find(({ Tags }) => isOwnedBy(owner, fromTagList(Tags)));
    const found = some.find(({ LoadBalancerArn }) => own && LoadBalancerArn === own.ResourceArn);
    if (found?.DNSName) {
      const scheme = found.Scheme === 'internal' ? 'internal' : 'internet-facing';
      return { endpoint: { host: found.DNSName, port: 6443 }, balancer: { type: 'nlb', scheme } };
    }
  }
  return {};
};

/** What the account has of the cluster. Throws where it has nothing. */
export const observeAccount = async (
  { ec2, elb }: Sources,
  { name, region }: { name: string; region: string },
): Promise<Omit<Observed, 'nodes' | 'pairs'>> => {
  const Filters = [{ Name: `tag:${ownershipTag(name)}`, Values: ['owned'] }];
  const [{ Vpcs = [] }, { Subnets = [] }, instances] = await Promise.all([
    ec2.send(new DescribeVpcsCommand({ Filters })),
    ec2.send(new DescribeSubnetsCommand({ Filters })),
    observeInstances(ec2, name),
  ]);
  if (Vpcs.length === 0 && instances.length === 0)
    throw new Error(`nothing in ${region} has the tag ${ownershipTag(name)}: is it another region or account?`);
  const namespace = namespaceOf(name, [
    ...Vpcs.map(({ Tags }) => fromTagList(Tags)),
    ...instances.map(({ tags }) => tags),
  ]);
  const [vpc] = Vpcs;
  return {
    name,
    namespace,
    region,
    ...(vpc?.VpcId ? { vpc: { id: vpc.VpcId, cidrBlock: vpc.CidrBlock ?? '' } } : {}),
    zones: [...new Set(Subnets.flatMap(({ AvailabilityZone }) => AvailabilityZone ?? []))].sort(),
    ...(await observeBalancer(elb, { namespace, name })),
    instances,
  };
};

const storedOf = (text: string | undefined): StoredCluster => {
  const found = parse(text ?? '', { version: '1.1' }) as { networking?: StoredCluster } | null;
  return found?.networking ?? {};
};

/** What the workload cluster says. */
export const observeNodes = async (
  connect: ConnectWorkload,
  kubeconfig: string,
): Promise<Pick<Observed, 'nodes' | 'stored'>> => {
  const client = connect(kubeconfig);
  try {
    const [nodes, stored] = await Promise.all([client.nodes(), client.systemConfigMap('kubeadm-config')]);
    return {
      nodes: nodes.map(
        ({ metadata, spec, status }): ObservedNode => ({
          name: metadata?.name ?? '',
          providerID: spec?.providerID ?? '',
          version: status?.nodeInfo?.kubeletVersion ?? '',
          annotations: metadata?.annotations ?? {},
        }),
      ),
      ...(stored ? { stored: storedOf(stored.ClusterConfiguration) } : {}),
    };
  } finally {
    await client.close();
  }
};
