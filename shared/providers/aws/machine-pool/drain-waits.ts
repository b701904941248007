import { type AutoScalingClient, CompleteLifecycleActionCommand } from '@aws-sdk/client-auto-scaling';
import { awsCodeOf } from '../../../aws/errors.ts';
import { DRAIN_HOOK } from './desired-group.ts';

/** Groups that wait until the nodes of instances are drained. */
export interface DrainWaits {
  /** Ends the wait for an instance; where nothing waits, that is success. */
  end(group: string, instanceId: string): Promise<void>;
}

/** The port over Auto Scaling. */
export const createDrainWaits = (client: AutoScalingClient): DrainWaits => ({
  end: async (AutoScalingGroupName, InstanceId) => {
    const input = {
      AutoScalingGroupName,
      InstanceId,
      LifecycleHookName: DRAIN_HOOK,
      LifecycleActionResult: 'CONTINUE',
    };
    try {
      await client.send(new CompleteLifecycleActionCommand(input));
    } catch (error) {
      // Auto Scaling has one code for all requests that make no sense: no such wait, group or instance.
      if (awsCodeOf(error) !== 'ValidationError') throw error;
    }
  },
});
