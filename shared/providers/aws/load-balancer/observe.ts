import { servingGroups } from '../plan/drift/targets.ts';
import { type ClusterName, isOwnedBy } from '../tags.ts';
import type { Elbv2Reads } from './api.ts';
import type { ObservedLoadBalancing } from './model.ts';
import { makeTags } from './tags/observe.ts';
import { findGroups, type Sought } from './target-groups/observe.ts';

/**
 * A snapshot: the load balancer with the name, its listeners, and the target groups behind them; for missing groups,
 * those with a possible name. Does not include the targets, which only matter if there are machines.
 */
export const observeLoadBalancing = async (
  elbv2: Elbv2Reads,
  cluster: ClusterName,
  sought: Sought,
): Promise<ObservedLoadBalancing> => {
  const found = await elbv2.describeLoadBalancer(sought.loadBalancer);
  const [attributes, listeners, attached] = found
    ? await Promise.all([
        elbv2.describeLoadBalancerAttributes(found.arn),
        elbv2.describeListeners(found.arn),
        elbv2.describeTargetGroupsOf(found.arn),
      ])
    : [{}, [], []];
  const tagsOf = makeTags(elbv2, found ? [found.arn] : []);
  const isOurs = async (arn: string) => isOwnedBy(cluster, (await tagsOf([arn])).get(arn) ?? {});
  const groups = await findGroups(elbv2, isOurs, sought, { attached, listeners });
  const tags = await tagsOf(groups.map(({ arn }) => arn));
  const targetGroups = await Promise.all(
    groups.map(async (group) => ({
      ...group,
      tags: tags.get(group.arn) ?? {},
      attributes: await elbv2.describeTargetGroupAttributes(group.arn),
    })),
  );
  const loadBalancer = found && { ...found, tags: tags.get(found.arn) ?? {}, attributes };
  return { ...(loadBalancer ? { loadBalancer } : {}), targetGroups, listeners };
};

/** The observed state with the targets of the groups that are in use. */
export const withTargets = async (
  elbv2: Pick<Elbv2Reads, 'describeTargets'>,
  observed: ObservedLoadBalancing,
): Promise<ObservedLoadBalancing> => {
  const serving = new Set(servingGroups(observed).map(({ arn }) => arn));
  const targetGroups = observed.targetGroups.map(async (group) =>
    serving.has(group.arn) ? { ...group, targets: await elbv2.describeTargets(group.arn) } : group,
  );
  return { ...observed, targetGroups: await Promise.all(targetGroups) };
};
