import type { Elbv2 } from '../../../shared/aws/elbv2.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { LoadBalancerAction } from '../../../shared/plan/load-balancer/model.ts';
import type { Actor } from '../infrastructure/act.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';

/** Makes the call of an action and says what was done. */
const perform = async (elbv2: Elbv2, action: LoadBalancerAction): Promise<string> => {
  switch (action.type) {
    case 'CreateLoadBalancer':
      await elbv2.createLoadBalancer(action.desired);
      return `Created load balancer ${action.desired.name}`;
    case 'SetLoadBalancerAttributes':
      await elbv2.setLoadBalancerAttributes(action.arn, action.attributes);
      return `Set attributes of the load balancer: ${Object.keys(action.attributes).join(', ')}`;
    case 'CreateTargetGroup':
      await elbv2.createTargetGroup(action);
      return `Created target group ${action.name}`;
    case 'SetTargetGroupAttributes':
      await elbv2.setTargetGroupAttributes(action.arn, action.attributes);
      return `Set attributes of target group ${action.name}: ${Object.keys(action.attributes).join(', ')}`;
    case 'CreateListener':
      await elbv2.createListener(action);
      return `Created a listener on port ${action.port}`;
    case 'DeleteLoadBalancer':
      await elbv2.deleteLoadBalancer(action.arn);
      return `Deleted load balancer ${action.name}`;
    case 'DeleteTargetGroup':
      await elbv2.deleteTargetGroup(action.arn);
      return `Deleted target group ${action.name}`;
  }
};

/** Upstream's words in the reasons of events. */
const REASONS: Readonly<Record<LoadBalancerAction['type'], string>> = {
  CreateLoadBalancer: 'CreateLoadBalancer',
  SetLoadBalancerAttributes: 'ConfigureLoadBalancerAttributes',
  CreateTargetGroup: 'CreateTargetGroup',
  SetTargetGroupAttributes: 'ConfigureTargetGroupAttributes',
  CreateListener: 'CreateListener',
  DeleteLoadBalancer: 'DeleteLoadBalancer',
  DeleteTargetGroup: 'DeleteTargetGroup',
};

/** Carries out load balancer actions and tells of them on `regarding`. */
export const elbActor = (
  { objects, clock }: Pick<LoadBalancerDependencies, 'objects' | 'clock'>,
  elbv2: Elbv2,
  regarding: KubeObject,
): Actor<LoadBalancerAction> => ({
  perform: (action) => perform(elbv2, action),
  reasonOf: ({ type }) => REASONS[type],
  component: COMPONENT,
  regarding,
  objects,
  clock,
});
