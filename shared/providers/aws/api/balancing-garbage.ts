import {
  DeleteLoadBalancerCommand as DeleteClassicCommand,
  DescribeLoadBalancersCommand as DescribeClassicBalancersCommand,
  DescribeTagsCommand as DescribeClassicTagsCommand,
  type ElasticLoadBalancingClient,
  paginateDescribeLoadBalancers as paginateClassic,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  paginateDescribeLoadBalancers,
  paginateDescribeTargetGroups,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { collectPages } from '../../../aws/pages.ts';
import { elbv2Reads } from '../load-balancer/api.ts';
import type { FoundBalancing, GarbageAction } from '../plan/garbage/plan.ts';
import { fromTagList, type Tags } from '../tags.ts';

const NAMES_PER_CALL = 20;

/** The load balancers of both generations in a VPC. */
export interface BalancingGarbage {
  /**
   * With their tags. Lists the account in three calls, and then reads the tags of those in the VPC, twenty per call.
   */
  describeIn(vpcId: string): Promise<FoundBalancing[]>;
  /** The targets of each classic load balancer and target group, by its id; one call for each target group. */
  describeTargets(found: readonly FoundBalancing[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Succeeds if the resource is gone already. */
  delete(action: GarbageAction): Promise<void>;
}

const modern = async (client: ElasticLoadBalancingV2Client, vpcId: string): Promise<FoundBalancing[]> => {
  const [balancers, groups] = await Promise.all([
    collectPages(paginateDescribeLoadBalancers({ client }, {}), ({ LoadBalancers }) => LoadBalancers),
    collectPages(paginateDescribeTargetGroups({ client }, {}), ({ TargetGroups }) => TargetGroups),
  ]);
  const found = [
    ...balancers
      .filter(({ VpcId }) => VpcId === vpcId)
      .map(({ LoadBalancerArn: id = '', LoadBalancerName: name = '' }) => ({
        kind: 'LoadBalancer' as const,
        id,
        name,
      })),
    ...groups
      .filter(({ VpcId }) => VpcId === vpcId)
      .map(({ TargetGroupArn: id = '', TargetGroupName: name = '', LoadBalancerArns: arns = [] }) => ({
        kind: 'TargetGroup' as const,
        id,
        name,
        balancers: arns,
      })),
  ];
  const tags = await elbv2Reads(client).describeTags(found.map(({ id }) => id));
  return found.map((one) => ({ ...one, tags: tags.get(one.id) ?? {} }));
};

/** Tags of classic load balancers by their names, twenty per call. */
export const classicTags = async (
  client: ElasticLoadBalancingClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, Tags>> => {
  const tags = new Map<string, Tags>();
  for (let index = 0; index < names.length; index += NAMES_PER_CALL) {
    const LoadBalancerNames = names.slice(index, index + NAMES_PER_CALL);
    const { TagDescriptions = [] } = await client.send(new DescribeClassicTagsCommand({ LoadBalancerNames }));
    for (const { LoadBalancerName = '', Tags: list = [] } of TagDescriptions) {
      tags.set(LoadBalancerName, fromTagList(list));
    }
  }
  return tags;
};

const classic = async (client: ElasticLoadBalancingClient, vpcId: string): Promise<FoundBalancing[]> => {
  const all = await collectPages(
    paginateClassic({ client }, {}),
    ({ LoadBalancerDescriptions }) => LoadBalancerDescriptions,
  );
  const names = all.filter(({ VPCId }) => VPCId === vpcId).map(({ LoadBalancerName = '' }) => LoadBalancerName);
  const tags = await classicTags(client, names);
  return names.map((name) => ({ kind: 'ClassicLoadBalancer', id: name, name, tags: tags.get(name) ?? {} }));
};

const classicInstances = async (client: ElasticLoadBalancingClient, names: string[]): Promise<[string, string[]][]> => {
  if (names.length === 0) return [];
  const { LoadBalancerDescriptions = [] } = await client.send(
    new DescribeClassicBalancersCommand({ LoadBalancerNames: names }),
  );
  return LoadBalancerDescriptions.map(({ LoadBalancerName = '', Instances = [] }) => [
    LoadBalancerName,
    Instances.flatMap(({ InstanceId }) => InstanceId ?? []),
  ]);
};

const groupTargets = async (client: ElasticLoadBalancingV2Client, arn: string): Promise<[string, string[]]> => {
  const { TargetHealthDescriptions = [] } = await client.send(new DescribeTargetHealthCommand({ TargetGroupArn: arn }));
  return [arn, TargetHealthDescriptions.flatMap(({ Target }) => Target?.Id ?? [])];
};

const idsOf = (found: readonly FoundBalancing[], wanted: FoundBalancing['kind']): string[] =>
  found.filter(({ kind }) => kind === wanted).map(({ id }) => id);

/** The port, implemented with the clients of both generations. */
export const createBalancingGarbage = (
  first: ElasticLoadBalancingClient,
  second: ElasticLoadBalancingV2Client,
): BalancingGarbage => ({
  describeIn: async (vpcId) => (await Promise.all([modern(second, vpcId), classic(first, vpcId)])).flat(),
  describeTargets: async (found) => {
    const groups = idsOf(found, 'TargetGroup').map((arn) => groupTargets(second, arn));
    return new Map([
      ...(await classicInstances(first, idsOf(found, 'ClassicLoadBalancer'))),
      ...(await Promise.all(groups)),
    ]);
  },
  delete: async ({ type, id }) => {
    if (type === 'DeleteClassicLoadBalancer') await first.send(new DeleteClassicCommand({ LoadBalancerName: id }));
    else if (type === 'DeleteTargetGroup') await second.send(new DeleteTargetGroupCommand({ TargetGroupArn: id }));
    else await second.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: id }));
  },
});
