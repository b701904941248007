import {
  type ElasticLoadBalancingClient,
  paginateDescribeLoadBalancers as paginateClassic,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  type ElasticLoadBalancingV2Client,
  paginateDescribeLoadBalancers,
  paginateDescribeTargetGroups,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { collectPages } from '../../../aws/pages.ts';
import { toLoadBalancer } from '../load-balancer/balancer/api.ts';
import type { FoundLoadBalancer } from '../load-balancer/balancer/model.ts';
import { toTargetGroup } from '../load-balancer/target-groups/api.ts';
import type { FoundTargetGroup } from '../load-balancer/target-groups/model.ts';

/** A target group, with the load balancers whose listeners forward to it. */
export interface ListedTargetGroup extends FoundTargetGroup {
  loadBalancerArns: readonly string[];
}

/** The load balancers of a region. */
export interface Elbv2Listing {
  loadBalancers: readonly FoundLoadBalancer[];
  targetGroups: readonly ListedTargetGroup[];
}

/** ELBv2's maximum page size; it has no filters. */
const PAGE = 400;

/** Everything in the region, of any owner, in pages of the maximum size. */
export const listElbv2 = async (client: ElasticLoadBalancingV2Client): Promise<Elbv2Listing> => {
  const paged = { client, pageSize: PAGE };
  const [loadBalancers, targetGroups] = await Promise.all([
    collectPages(paginateDescribeLoadBalancers(paged, {}), (page) => page.LoadBalancers),
    collectPages(paginateDescribeTargetGroups(paged, {}), (page) => page.TargetGroups),
  ]);
  return {
    loadBalancers: loadBalancers.map(toLoadBalancer),
    targetGroups: targetGroups.map((found) => ({
      ...toTargetGroup(found),
      loadBalancerArns: found.LoadBalancerArns ?? [],
    })),
  };
};

/** The names of all classic load balancers in the region. */
export const listClassicNames = async (client: ElasticLoadBalancingClient): Promise<ReadonlySet<string>> => {
  const pages = paginateClassic({ client, pageSize: PAGE }, {});
  const found = await collectPages(pages, (page) => page.LoadBalancerDescriptions);
  return new Set(found.flatMap(({ LoadBalancerName }) => LoadBalancerName ?? []));
};
