import type { Driver } from '../driver.ts';
import type { TagAction } from './model.ts';

/** Tags of existing resources. Those of new resources are set by the creation. */
export const tags = {
  operations: {
    CreateTags: {
      reason: 'TagResource',
      call: (ec2, { resourceId, tags }) => ec2.createTags({ resourceId, tags }),
      tell: ({ resourceId, tags }) => `Set tags of ${resourceId}: ${Object.keys(tags).join(', ')}`,
      drift: 'Tags',
      drifted: ({ resourceId, tags }) => `${resourceId} lacks tags or has others: ${Object.keys(tags).join(', ')}`,
    },
    DeleteTags: {
      reason: 'DeleteTags',
      call: (ec2, { resourceId, keys }) => ec2.deleteTags({ resourceId, keys }),
      tell: ({ resourceId, keys }) => `Removed tags of ${resourceId}: ${keys.join(', ')}`,
      drift: 'Tags',
      // Tags are only removed from the subnets of a user's VPC.
      conditionOf: () => 'SubnetsReady',
    },
  },
  rights: { changes: ['CreateTags'] },
} satisfies Driver<TagAction>;
