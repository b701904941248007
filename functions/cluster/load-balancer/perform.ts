import type { Elbv2 } from '../../../shared/aws/elbv2.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { LoadBalancerAction } from '../../../shared/plan/load-balancer/model.ts';
import type { Actor } from '../infrastructure/act.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';

type Type = LoadBalancerAction['type'];

interface Way<Action> {
  /** Upstream's word in the reason of the event. */
  reason: string;
  /** Makes the call. */
  call: (elbv2: Elbv2, action: Action) => Promise<void>;
  /** What was done, in a sentence. */
  told: (action: Action) => string;
}

const keysOf = (values: Readonly<Record<string, string>>): string => Object.keys(values).join(', ');

const WAYS: { [T in Type]: Way<Extract<LoadBalancerAction, { type: T }>> } = {
  CreateLoadBalancer: {
    reason: 'CreateLoadBalancer',
    call: (elbv2, { desired }) => elbv2.createLoadBalancer(desired),
    told: ({ desired }) => `Created load balancer ${desired.name}`,
  },
  SetLoadBalancerAttributes: {
    reason: 'ConfigureLoadBalancerAttributes',
    call: (elbv2, { arn, attributes }) => elbv2.setLoadBalancerAttributes(arn, attributes),
    told: ({ attributes }) => `Set attributes of the load balancer: ${keysOf(attributes)}`,
  },
  SetSubnets: {
    reason: 'SetLoadBalancerSubnets',
    call: (elbv2, { arn, subnetIds }) => elbv2.setSubnets(arn, subnetIds),
    told: ({ subnetIds }) => `Set subnets of the load balancer: ${subnetIds.join(', ')}`,
  },
  SetSecurityGroups: {
    reason: 'SetLoadBalancerSecurityGroups',
    call: (elbv2, { arn, groupIds }) => elbv2.setSecurityGroups(arn, groupIds),
    told: ({ groupIds }) => `Set security groups of the load balancer: ${groupIds.join(', ')}`,
  },
  AddTags: {
    reason: 'AddLoadBalancerTags',
    call: (elbv2, { arns, tags }) => elbv2.addTags(arns, tags),
    told: ({ arns, tags }) => `Added tags to ${arns.join(', ')}: ${keysOf(tags)}`,
  },
  RemoveTags: {
    reason: 'RemoveLoadBalancerTags',
    call: (elbv2, { arns, keys }) => elbv2.removeTags(arns, keys),
    told: ({ arns, keys }) => `Removed tags from ${arns.join(', ')}: ${keys.join(', ')}`,
  },
  CreateTargetGroup: {
    reason: 'CreateTargetGroup',
    call: (elbv2, action) => elbv2.createTargetGroup(action),
    told: ({ name }) => `Created target group ${name}`,
  },
  SetTargetGroupAttributes: {
    reason: 'ConfigureTargetGroupAttributes',
    call: (elbv2, { arn, attributes }) => elbv2.setTargetGroupAttributes(arn, attributes),
    told: ({ name, attributes }) => `Set attributes of target group ${name}: ${keysOf(attributes)}`,
  },
  SetHealthCheck: {
    reason: 'ConfigureTargetGroupHealthCheck',
    call: (elbv2, { arn, healthCheck }) => elbv2.setHealthCheck(arn, healthCheck),
    told: ({ name }) => `Set the health check of target group ${name}`,
  },
  CreateListener: {
    reason: 'CreateListener',
    call: (elbv2, action) => elbv2.createListener(action),
    told: ({ port }) => `Created a listener on port ${port}`,
  },
  SetListener: {
    reason: 'ModifyListener',
    call: (elbv2, { arn, targetGroupArn }) => elbv2.setListener(arn, targetGroupArn),
    told: ({ port }) => `Led the listener on port ${port} to its target group`,
  },
  DeleteListener: {
    reason: 'DeleteListener',
    call: (elbv2, { arn }) => elbv2.deleteListener(arn),
    told: ({ port }) => `Deleted the listener on port ${port}`,
  },
  DeleteLoadBalancer: {
    reason: 'DeleteLoadBalancer',
    call: (elbv2, { arn }) => elbv2.deleteLoadBalancer(arn),
    told: ({ name }) => `Deleted load balancer ${name}`,
  },
  DeleteTargetGroup: {
    reason: 'DeleteTargetGroup',
    call: (elbv2, { arn }) => elbv2.deleteTargetGroup(arn),
    told: ({ name }) => `Deleted target group ${name}`,
  },
};

// The table has the right way for every type; TypeScript cannot follow a lookup by a union.
const wayOf = ({ type }: LoadBalancerAction): Way<LoadBalancerAction> => WAYS[type] as Way<LoadBalancerAction>;

/** Carries out load balancer actions and tells of them on `regarding`. */
export const elbActor = (
  { objects, clock }: Pick<LoadBalancerDependencies, 'objects' | 'clock'>,
  elbv2: Elbv2,
  regarding: KubeObject,
): Actor<LoadBalancerAction> => ({
  perform: async (action) => {
    await wayOf(action).call(elbv2, action);
    return wayOf(action).told(action);
  },
  reasonOf: (action) => wayOf(action).reason,
  component: COMPONENT,
  regarding,
  objects,
  clock,
});
