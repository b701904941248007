import { isOwnedBy } from '../../tags.ts';
import { setAttributes } from '../cached-attributes.ts';
import type { Driver } from '../driver.ts';
import { keysOf } from '../parts.ts';
import type { BalancerAction } from './model.ts';
import { planLoadBalancer } from './plan.ts';

export const balancer = {
  plan: (cluster, desired, { loadBalancer }) => planLoadBalancer(cluster, desired, loadBalancer),
  takeDown: (cluster, { loadBalancer }) =>
    loadBalancer && isOwnedBy(cluster, loadBalancer.tags)
      ? [{ type: 'DeleteLoadBalancer', arn: loadBalancer.arn, name: loadBalancer.name }]
      : [],
  operations: {
    CreateLoadBalancer: {
      reason: 'CreateLoadBalancer',
      call: (elb, { desired }, allocationIds) => elb.createLoadBalancer(desired, allocationIds),
      tell: ({ desired }) => `Created load balancer ${desired.name}`,
      drift: 'LoadBalancer',
      drifted: ({ desired }) => `there is no load balancer ${desired.name} any more`,
    },
    SetLoadBalancerAttributes: {
      reason: 'ConfigureLoadBalancerAttributes',
      call: (elb, { arn, attributes }) => elb.setLoadBalancerAttributes(arn, attributes),
      tell: ({ attributes }) => `Set attributes of the load balancer: ${keysOf(attributes)}`,
      drift: 'LoadBalancer',
      drifted: ({ attributes }) => `attributes of the load balancer were changed: ${keysOf(attributes)}`,
    },
    SetIpAddressType: {
      reason: 'SetLoadBalancerIpAddressType',
      call: (elb, { arn, ipAddressType }) => elb.setIpAddressType(arn, ipAddressType),
      tell: ({ ipAddressType }) => `Set the address type of the load balancer: ${ipAddressType}`,
      drift: 'LoadBalancer',
      drifted: ({ ipAddressType }) => `the load balancer does not have the address type ${ipAddressType}`,
    },
    SetSubnets: {
      reason: 'SetLoadBalancerSubnets',
      call: (elb, { arn, subnetIds }) => elb.setSubnets(arn, subnetIds),
      tell: ({ subnetIds }) => `Set subnets of the load balancer: ${subnetIds.join(', ')}`,
      drift: 'LoadBalancer',
      drifted: ({ subnetIds }) => `the load balancer is not in the subnets ${subnetIds.join(', ')}`,
    },
    SetSecurityGroups: {
      reason: 'SetLoadBalancerSecurityGroups',
      call: (elb, { arn, groupIds }) => elb.setSecurityGroups(arn, groupIds),
      tell: ({ groupIds }) => `Set security groups of the load balancer: ${groupIds.join(', ')}`,
      drift: 'LoadBalancer',
      drifted: ({ groupIds }) => `the load balancer does not have the security groups ${groupIds.join(', ')}`,
    },
    DeleteLoadBalancer: {
      reason: 'DeleteLoadBalancer',
      call: (elb, { arn }) => elb.deleteLoadBalancer(arn),
      tell: ({ name }) => `Deleted load balancer ${name}`,
      drift: 'LoadBalancer',
      drifted: ({ name }) => `${name} is not in the spec`,
    },
  },
  cache: {
    reads: ['describeLoadBalancer', 'describeLoadBalancerAttributes'],
    updates: {
      // A creation that finds the result of another run returns that. Its other properties are found when the next
      // creation is refused.
      createLoadBalancer: (known, made) => {
        known.forget('describeLoadBalancer');
        if (!made) return;
        known.put('describeLoadBalancer', [made.name], made);
        known.put('describeListeners', [made.arn], []);
        known.put('describeTargetGroupsOf', [made.arn], []);
      },
      setLoadBalancerAttributes: setAttributes('describeLoadBalancerAttributes'),
    },
  },
  rights: {
    reads: ['DescribeLoadBalancers', 'DescribeLoadBalancerAttributes'],
    creates: ['CreateLoadBalancer'],
    changes: [
      'ModifyLoadBalancerAttributes',
      'SetIpAddressType',
      'SetSubnets',
      'SetSecurityGroups',
      'DeleteLoadBalancer',
    ],
    types: ['loadbalancer'],
  },
} satisfies Driver<BalancerAction>;
