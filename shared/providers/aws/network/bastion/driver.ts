import type { Driver } from '../driver.ts';
import type { BastionAction, SeenBastions } from './model.ts';
import { takeDownBastions } from './take-down.ts';

/**
 * A machine, which has a separate step (functions/providers/aws/network/bastion) and is deleted with the network.
 */
export const bastion = {
  ownPart: ({ bastions = [] }): SeenBastions => ({ bastions }),
  takeDown: takeDownBastions,
  operations: {
    TerminateBastion: {
      reason: 'TerminateBastion',
      call: (ec2, { instanceId }) => ec2.terminateBastion(instanceId),
      tell: ({ instanceId }) => `Terminated bastion instance ${instanceId}`,
      drift: 'Network',
    },
  },
  cache: { invalidates: { runBastion: [] } },
  rights: { reads: ['DescribeInstances', 'DescribeImages'] },
} satisfies Driver<BastionAction, SeenBastions>;
