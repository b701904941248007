import type { DriftKind } from '../../kinds/rules/drift-policy.ts';
import type { LoadBalancerAction } from '../load-balancer/model.ts';

/** What kind of drift each action mends, when it is planned for a load balancer that was complete. */
const KINDS: Readonly<Record<LoadBalancerAction['type'], DriftKind>> = {
  CreateLoadBalancer: 'LoadBalancer',
  SetLoadBalancerAttributes: 'LoadBalancer',
  SetSubnets: 'LoadBalancer',
  SetSecurityGroups: 'LoadBalancer',
  AddTags: 'LoadBalancer',
  RemoveTags: 'LoadBalancer',
  CreateTargetGroup: 'TargetGroup',
  SetTargetGroupAttributes: 'TargetGroup',
  SetHealthCheck: 'TargetGroup',
  CreateListener: 'Listener',
  SetListener: 'Listener',
  DeleteListener: 'Listener',
  DeleteLoadBalancer: 'LoadBalancer',
  DeleteTargetGroup: 'TargetGroup',
};

export const driftKindOfLoadBalancer = ({ type }: LoadBalancerAction): DriftKind => KINDS[type];
