import type { ClusterName } from '../../tags.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import type { ObservedLoadBalancing } from '../model.ts';
import { type LoadBalancerPlan, NOTHING } from '../parts.ts';
import type { DesiredTargetGroup, HealthCheck } from '../target-groups/model.ts';
import { chooseTargetGroup } from '../target-groups/plan.ts';

const CHECK = [
  'protocol',
  'port',
  'path',
  'intervalSeconds',
  'timeoutSeconds',
  'thresholdCount',
  'unhealthyThresholdCount',
] as const satisfies readonly (keyof HealthCheck)[];

/**
 * The group of a classic load balancer is created and deleted with it, and has the same tags. Only its health check is
 * managed.
 */
export const planClassicGroup = (
  cluster: ClusterName,
  _desired: DesiredLoadBalancing,
  wanted: DesiredTargetGroup,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const { group } = chooseTargetGroup(cluster, wanted, observed);
  const { healthCheck } = wanted;
  if (!group || CHECK.every((key) => healthCheck[key] === group.healthCheck[key])) return NOTHING;
  return { ...NOTHING, actions: [{ type: 'SetHealthCheck', arn: group.arn, name: group.name, healthCheck }] };
};
