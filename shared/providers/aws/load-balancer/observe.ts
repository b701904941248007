import { servingGroups } from '../plan/drift/targets.ts';
import { type ClusterName, isOwnedBy } from '../tags.ts';
import type { Elbv2Reads } from './api.ts';
import type { ObservedLoadBalancing } from './model.ts';
import { makeTags } from './tags/observe.ts';
import { findGroups, type Sought } from './target-groups/observe.ts';

/**
 * One snapshot: the load balancer of the name with its listeners, the target groups behind them, and for missing ones,
 * those with a possible name. Without the targets, which matter only if there are machines.
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

/** What was observed, with the targets of the groups that serve. */
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
