import { type ClusterName, isOwnedBy } from '../../tags.ts';
import { setAttributes } from '../cached-attributes.ts';
import { planClassicGroup } from '../classic/plan.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import type { Driver } from '../driver.ts';
import type { ObservedLoadBalancing } from '../model.ts';
import { keysOf, type LoadBalancerPlan, NOTHING } from '../parts.ts';
import type { TargetGroupAction } from './model.ts';
import { planTargetGroup } from './plan.ts';

/** A classic load balancer is its own only target group. */
const plan = (
  cluster: ClusterName,
  desired: DesiredLoadBalancing,
  observed: ObservedLoadBalancing,
): LoadBalancerPlan => {
  const planGroup = desired.type === 'classic' ? planClassicGroup : planTargetGroup;
  const groups = desired.listeners.map(({ targetGroup }) => planGroup(cluster, desired, targetGroup, observed));
  const problem = groups.find((part) => part.problem)?.problem;
  return { ...NOTHING, actions: groups.flatMap(({ actions }) => actions), ...(problem ? { problem } : {}) };
};

export const targetGroups = {
  plan,
  takeDown: (cluster, observed) =>
    observed.targetGroups
      .filter(({ tags }) => isOwnedBy(cluster, tags))
      .map(({ arn, name }) => ({ type: 'DeleteTargetGroup', arn, name })),
  operations: {
    CreateTargetGroup: {
      reason: 'CreateTargetGroup',
      call: (elb, action) => elb.createTargetGroup(action),
      tell: ({ name }) => `Created target group ${name}`,
      drift: 'TargetGroup',
      drifted: ({ name }) => `there is no target group ${name} any more`,
    },
    SetTargetGroupAttributes: {
      reason: 'ConfigureTargetGroupAttributes',
      call: (elb, { arn, attributes }) => elb.setTargetGroupAttributes(arn, attributes),
      tell: ({ name, attributes }) => `Set attributes of target group ${name}: ${keysOf(attributes)}`,
      drift: 'TargetGroup',
      drifted: ({ attributes, name }) => `attributes of target group ${name} were changed: ${keysOf(attributes)}`,
    },
    SetHealthCheck: {
      reason: 'ConfigureTargetGroupHealthCheck',
      call: (elb, { arn, healthCheck }) => elb.setHealthCheck(arn, healthCheck),
      tell: ({ name }) => `Set the health check of target group ${name}`,
      drift: 'TargetGroup',
      drifted: ({ name }) => `the health check of target group ${name} was changed`,
    },
    DeleteTargetGroup: {
      reason: 'DeleteTargetGroup',
      call: (elb, { arn }) => elb.deleteTargetGroup(arn),
      tell: ({ name }) => `Deleted target group ${name}`,
      drift: 'TargetGroup',
      drifted: ({ name }) => `${name} is not in the spec`,
    },
  },
  cache: {
    // The registered targets are always read: the machines' own executions change them.
    reads: ['describeTargetGroup', 'describeTargetGroupsOf', 'describeTargetGroupAttributes'],
    invalidates: { registerTarget: [] },
    updates: {
      createTargetGroup: (known, made) => {
        known.forget('describeTargetGroup');
        if (made) known.put('describeTargetGroup', [made.name], made);
      },
      setTargetGroupAttributes: setAttributes('describeTargetGroupAttributes'),
    },
  },
  rights: {
    reads: ['DescribeTargetGroups', 'DescribeTargetGroupAttributes', 'DescribeTargetHealth'],
    creates: ['CreateTargetGroup'],
    changes: ['ModifyTargetGroup', 'ModifyTargetGroupAttributes', 'RegisterTargets', 'DeleteTargetGroup'],
    types: ['targetgroup'],
  },
} satisfies Driver<TargetGroupAction>;
