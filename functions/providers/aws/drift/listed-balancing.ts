import type { Elbv2Listing } from '../../../../shared/providers/aws/api/elbv2-listing.ts';
import type { Elbv2Reads } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import { fits } from '../../../../shared/providers/aws/load-balancer/target-groups/plan.ts';

const find = <T extends { name: string }>(things: readonly T[]) => {
  const byName = new Map(things.map((thing) => [thing.name, thing]));
  return async (name: string) => byName.get(name);
};

/** `reads`, but resources that a listing of the region contains are returned from the listing, by name. */
export const withListing = (reads: Elbv2Reads, { loadBalancers, targetGroups }: Elbv2Listing): Elbv2Reads => {
  const attached = targetGroups.flatMap((group) => group.loadBalancerArns.map((arn) => ({ arn, group })));
  const byArn = Map.groupBy(attached, ({ arn }) => arn);
  return {
    ...reads,
    describeLoadBalancer: find(loadBalancers),
    describeTargetGroup: find(targetGroups),
    describeTargetGroupsOf: async (arn) => (byArn.get(arn) ?? []).map(({ group }) => group),
  };
};

/**
 * The `reads` of one cluster's load balancer, with the assumption that everything that a listing does not show is as
 * desired: tags, attributes, and the ports of listeners, of which a listing only shows whether they lead to a target
 * group. They return no targets.
 */
export const assuming = (reads: Elbv2Reads, { listeners, tags, attributes }: DesiredLoadBalancing): Elbv2Reads => {
  const listenersOf = async (arn: string) => {
    const attached = await reads.describeTargetGroupsOf(arn);
    return listeners.flatMap(({ port, targetGroup }) => {
      const group = attached.find((one) => one.name.startsWith(targetGroup.prefix) && fits(targetGroup, one));
      return group ? [{ arn: `${arn}:${port}`, port, targetGroupArn: group.arn }] : [];
    });
  };
  return {
    ...reads,
    describeTags: async (arns) => new Map(arns.map((arn) => [arn, tags])),
    describeLoadBalancerAttributes: async () => attributes,
    describeTargetGroupAttributes: async () => listeners[0]?.targetGroup.attributes ?? {},
    describeListeners: listenersOf,
    describeTargets: async () => [],
  };
};
