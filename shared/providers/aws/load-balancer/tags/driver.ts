import type { Driver } from '../driver.ts';
import { keysOf } from '../parts.ts';
import type { TagAction } from './model.ts';

/** Tags are planned with their resource. Those of new resources are set by the creation. */
export const tags = {
  operations: {
    AddTags: {
      reason: 'AddLoadBalancerTags',
      call: (elb, { arns, tags }) => elb.addTags(arns, tags),
      tell: ({ arns, tags }) => `Added tags to ${arns.join(', ')}: ${keysOf(tags)}`,
      drift: 'LoadBalancer',
      drifted: ({ arns, tags }) => `${arns.join(', ')} lacks tags or has others: ${keysOf(tags)}`,
    },
    RemoveTags: {
      reason: 'RemoveLoadBalancerTags',
      call: (elb, { arns, keys }) => elb.removeTags(arns, keys),
      tell: ({ arns, keys }) => `Removed tags from ${arns.join(', ')}: ${keys.join(', ')}`,
      drift: 'LoadBalancer',
      drifted: ({ arns, keys }) => `${arns.join(', ')} has tags that are not in the spec: ${keys.join(', ')}`,
    },
  },
  cache: { reads: ['describeTags'] },
  rights: { reads: ['DescribeTags'], creates: ['AddTags'], changes: ['AddTags', 'RemoveTags'] },
} satisfies Driver<TagAction>;
