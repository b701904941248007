import { type ClusterName, isOwnedBy, missingTags } from '../../tags.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import type { LoadBalancerAction, ObservedLoadBalancing } from '../model.ts';
import { differing, isEmpty, type LoadBalancerPlan, NOTHING } from '../parts.ts';
import type { DesiredTargetGroup, HealthCheck, ObservedTargetGroup } from './model.ts';

type Wanted = Pick<DesiredTargetGroup, 'names' | 'prefix' | 'port' | 'ipType' | 'mayStay'>;

/** Whether the immutable properties of a target group are as desired. */
export const fits = (
  { port, ipType, mayStay }: Wanted,
  group: Pick<ObservedTargetGroup, 'port' | 'protocol' | 'ipType'>,
): boolean => group.port === port && group.protocol === 'TCP' && (group.ipType === ipType || group.ipType === mayStay);

/** The group that already serves a listener or could do so, or else the first free name. */
export const chooseTargetGroup = (
  cluster: ClusterName,
  wanted: Wanted,
  { targetGroups, listeners }: Pick<ObservedLoadBalancing, 'targetGroups' | 'listeners'>,
): { group?: ObservedTargetGroup; name?: string } => {
  const ours = targetGroups.filter(
    (group) => isOwnedBy(cluster, group.tags) && fits(wanted, group) && group.name.startsWith(wanted.prefix),
  );
  const byRule = wanted.names.flatMap((name) => ours.find((group) => group.name === name) ?? []);
  const serving = ours.find(({ arn }) => listeners.some(({ targetGroupArn }) => targetGroupArn === arn));
  const group = serving ?? byRule[0] ?? ours[0];
  if (group) return { group, name: group.name };
  return { name: wanted.names.find((name) => !targetGroups.some((one) => one.name === name)) };
};

/** For a check over TCP, ELBv2 uses neither a path nor a timeout. */
const isSameCheck = (desired: HealthCheck, observed: HealthCheck): boolean => {
  const isHttp = desired.protocol !== 'TCP';
  return (
    desired.protocol === observed.protocol &&
    desired.port === observed.port &&
    desired.intervalSeconds === observed.intervalSeconds &&
    desired.thresholdCount === observed.thresholdCount &&
    desired.unhealthyThresholdCount === observed.unhealthyThresholdCount &&
    (!isHttp || (desired.path === observed.path && desired.timeoutSeconds === observed.timeoutSeconds))
  );
};

const repair = (
  { tags, staleTags }: DesiredLoadBalancing,
  wanted: DesiredTargetGroup,
  group: ObservedTargetGroup,
): LoadBalancerAction[] => {
  const { arn, name } = group;
  const attributes = differing(wanted.attributes, group.attributes);
  const missing = missingTags(tags, group.tags);
  const stale = staleTags.filter((key) => group.tags[key] !== undefined);
  const { healthCheck } = wanted;
  return [
    ...(isEmpty(attributes) ? [] : [{ type: 'SetTargetGroupAttributes', arn, name, attributes } as const]),
    ...(isSameCheck(healthCheck, group.healthCheck)
      ? []
      : [{ type: 'SetHealthCheck', arn, name, healthCheck } as const]),
    ...(isEmpty(missing) ? [] : [{ type: 'AddTags', arns: [arn], tags: missing } as const]),
    ...(stale.length > 0 ? [{ type: 'RemoveTags', arns: [arn], keys: stale } as const] : []),
  ];
};

/**
 * The properties of a new group. If an existing group of the API is kept, it gets the same address family, for the same
 * machines.
 */
const made = (
  cluster: ClusterName,
  { listeners: [api] }: DesiredLoadBalancing,
  wanted: DesiredTargetGroup,
  observed: ObservedLoadBalancing,
): DesiredTargetGroup => {
  const { mayStay } = wanted;
  if (!mayStay || mayStay !== api?.targetGroup.mayStay) return wanted;
  const stays = chooseTargetGroup(cluster, api.targetGroup, observed).group?.ipType === mayStay;
  return stays ? { ...wanted, ipType: mayStay } : wanted;
};

/** Creates or repairs the target group of one listener. */
export const planTargetGroup = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  wanted: DesiredTargetGroup,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const { group, name } = chooseTargetGroup(cluster, wanted, observed);
  if (group) return { ...NOTHING, actions: repair(desired, wanted, group) };
  if (name === undefined) {
    const message = `target groups of other owners have all the names ${wanted.names.join(', ')}`;
    return { ...NOTHING, problem: { message } };
  }
  const { vpcId, tags } = desired;
  return {
    ...NOTHING,
    actions: [{ type: 'CreateTargetGroup', name, vpcId, group: made(cluster, desired, wanted, observed), tags }],
  };
};

/** Our groups for listeners that are no longer wanted. */
export const staleTargetGroups = (
  cluster: ClusterName,
  desired: Pick<DesiredLoadBalancing, 'listeners' | 'recordedGroups'>,
  observed: ObservedLoadBalancing,
): ObservedTargetGroup[] => {
  const chosen = desired.listeners.map(({ targetGroup }) => chooseTargetGroup(cluster, targetGroup, observed).group);
  const isAttached = (arn: string) => observed.listeners.some(({ targetGroupArn }) => targetGroupArn === arn);
  return observed.targetGroups.filter(
    (group) =>
      isOwnedBy(cluster, group.tags) &&
      !chosen.some((one) => one?.arn === group.arn) &&
      (isAttached(group.arn) || desired.recordedGroups.includes(group.name)),
  );
};
