import type { Elbv2 } from '../../../shared/aws/elbv2.ts';
import { type ClusterName, isOwnedBy } from '../../../shared/aws/tags.ts';
import type { ObservedLoadBalancing, ObservedTargetGroup } from '../../../shared/plan/load-balancer/model.ts';

/** Looks names up in order of preference, until one is ours or free. */
const findTargetGroups = async (
  elbv2: Elbv2,
  cluster: ClusterName,
  names: readonly string[],
): Promise<ObservedTargetGroup[]> => {
  const found: ObservedTargetGroup[] = [];
  for (const name of names) {
    const group = await elbv2.describeTargetGroup(name);
    if (!group) break;
    found.push(group);
    if (isOwnedBy(cluster, group.tags)) break;
  }
  return found;
};

/** One snapshot: the load balancer of the name, its listeners, and for each list of names the target groups that count. */
export const observeLoadBalancing = async (
  elbv2: Elbv2,
  cluster: ClusterName,
  loadBalancerName: string,
  targetGroupNames: readonly (readonly string[])[],
): Promise<ObservedLoadBalancing> => {
  const [loadBalancer, ...groups] = await Promise.all([
    elbv2.describeLoadBalancer(loadBalancerName),
    ...targetGroupNames.map((names) => findTargetGroups(elbv2, cluster, names)),
  ] as const);
  const listeners = loadBalancer ? await elbv2.describeListeners(loadBalancer.arn) : [];
  const targetGroups = [...new Map(groups.flat().map((group) => [group.arn, group])).values()];
  return { ...(loadBalancer ? { loadBalancer } : {}), targetGroups, listeners };
};
