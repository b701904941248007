import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Elbv2Writes } from '../../../../shared/providers/aws/api/elbv2-writes.ts';
import type {
  DesiredLoadBalancing,
  LoadBalancerAction,
} from '../../../../shared/providers/aws/plan/load-balancer/model.ts';
import type { Actor } from '../infrastructure/act.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';

type Type = LoadBalancerAction['type'];

interface Way<Action> {
  /** Upstream's word in the reason of the event. */
  reason: string;
  /** Makes the call. */
  call: (elb: Elbv2Writes, action: Action, allocationIds: readonly string[]) => Promise<unknown>;
  /** What was done, in a sentence. */
  told: (action: Action) => string;
}

const keysOf = (values: Readonly<Record<string, string>>): string => Object.keys(values).join(', ');

const WAYS: { [T in Type]: Way<Extract<LoadBalancerAction, { type: T }>> } = {
  CreateLoadBalancer: {
    reason: 'CreateLoadBalancer',
    call: (elb, { desired }, allocationIds) => elb.createLoadBalancer(desired, allocationIds),
    told: ({ desired }) => `Created load balancer ${desired.name}`,
  },
  SetLoadBalancerAttributes: {
    reason: 'ConfigureLoadBalancerAttributes',
    call: (elb, { arn, attributes }) => elb.setLoadBalancerAttributes(arn, attributes),
    told: ({ attributes }) => `Set attributes of the load balancer: ${keysOf(attributes)}`,
  },
  SetIpAddressType: {
    reason: 'SetLoadBalancerIpAddressType',
    call: (elb, { arn, ipAddressType }) => elb.setIpAddressType(arn, ipAddressType),
    told: ({ ipAddressType }) => `Set the address type of the load balancer: ${ipAddressType}`,
  },
  SetSubnets: {
    reason: 'SetLoadBalancerSubnets',
    call: (elb, { arn, subnetIds }) => elb.setSubnets(arn, subnetIds),
    told: ({ subnetIds }) => `Set subnets of the load balancer: ${subnetIds.join(', ')}`,
  },
  SetSecurityGroups: {
    reason: 'SetLoadBalancerSecurityGroups',
    call: (elb, { arn, groupIds }) => elb.setSecurityGroups(arn, groupIds),
    told: ({ groupIds }) => `Set security groups of the load balancer: ${groupIds.join(', ')}`,
  },
  AddTags: {
    reason: 'AddLoadBalancerTags',
    call: (elb, { arns, tags }) => elb.addTags(arns, tags),
    told: ({ arns, tags }) => `Added tags to ${arns.join(', ')}: ${keysOf(tags)}`,
  },
  RemoveTags: {
    reason: 'RemoveLoadBalancerTags',
    call: (elb, { arns, keys }) => elb.removeTags(arns, keys),
    told: ({ arns, keys }) => `Removed tags from ${arns.join(', ')}: ${keys.join(', ')}`,
  },
  CreateTargetGroup: {
    reason: 'CreateTargetGroup',
    call: (elb, action) => elb.createTargetGroup(action),
    told: ({ name }) => `Created target group ${name}`,
  },
  SetTargetGroupAttributes: {
    reason: 'ConfigureTargetGroupAttributes',
    call: (elb, { arn, attributes }) => elb.setTargetGroupAttributes(arn, attributes),
    told: ({ name, attributes }) => `Set attributes of target group ${name}: ${keysOf(attributes)}`,
  },
  SetHealthCheck: {
    reason: 'ConfigureTargetGroupHealthCheck',
    call: (elb, { arn, healthCheck }) => elb.setHealthCheck(arn, healthCheck),
    told: ({ name }) => `Set the health check of target group ${name}`,
  },
  CreateListener: {
    reason: 'CreateListener',
    call: (elb, action) => elb.createListener(action),
    told: ({ port }) => `Created a listener on port ${port}`,
  },
  SetListener: {
    reason: 'ModifyListener',
    call: (elb, { arn, targetGroupArn }) => elb.setListener(arn, targetGroupArn),
    told: ({ port }) => `Led the listener on port ${port} to its target group`,
  },
  DeleteListener: {
    reason: 'DeleteListener',
    call: (elb, { arn }) => elb.deleteListener(arn),
    told: ({ port }) => `Deleted the listener on port ${port}`,
  },
  DeleteLoadBalancer: {
    reason: 'DeleteLoadBalancer',
    call: (elb, { arn }) => elb.deleteLoadBalancer(arn),
    told: ({ name }) => `Deleted load balancer ${name}`,
  },
  DeleteTargetGroup: {
    reason: 'DeleteTargetGroup',
    call: (elb, { arn }) => elb.deleteTargetGroup(arn),
    told: ({ name }) => `Deleted target group ${name}`,
  },
};

// The table has the right way for every type; TypeScript cannot follow a lookup by a union.
const wayOf = ({ type }: LoadBalancerAction): Way<LoadBalancerAction> => WAYS[type] as Way<LoadBalancerAction>;

/** The addresses for a load balancer that is about to be made. */
type TakeAddresses = (desired: DesiredLoadBalancing) => Promise<readonly string[]>;

const none: TakeAddresses = async () => [];

/** Carries out load balancer actions and tells of them on `regarding`. */
export const elbActor = (
  { objects, clock }: Pick<LoadBalancerDependencies, 'objects' | 'clock'>,
  elb: Elbv2Writes,
  regarding: KubeObject,
  addresses: TakeAddresses = none,
): Actor<LoadBalancerAction> => ({
  perform: async (action) => {
    const allocationIds = action.type === 'CreateLoadBalancer' ? await addresses(action.desired) : [];
    await wayOf(action).call(elb, action, allocationIds);
    return wayOf(action).told(action);
  },
  reasonOf: (action) => wayOf(action).reason,
  component: COMPONENT,
  regarding,
  objects,
  clock,
});
