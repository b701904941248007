import { type AutoScalingClient, CompleteLifecycleActionCommand } from '@aws-sdk/client-auto-scaling';
import { awsCodeOf } from '../../../aws/errors.ts';
import { DRAIN_HOOK } from './desired-group.ts';

/** Groups that wait until the nodes of instances are drained. */
export interface DrainWaits {
  /** Ends the wait for an instance; where nothing waits, that is success. */
  end(group: string, instanceId: string): Promise<void>;
}

/** Ends the wait of an instance for a lifecycle hook; where nothing waits, that is success. */
export const endWait = async (
  client: AutoScalingClient,
  wait: { group: string; hook: string; instanceId: string },
): Promise<void> => {
  const input = {
    AutoScalingGroupName: wait.group,
    InstanceId: wait.instanceId,
    LifecycleHookName: wait.hook,
    LifecycleActionResult: 'CONTINUE',
  };
  try {
    await client.send(new CompleteLifecycleActionCommand(input));
  } catch (error) {
    // Auto Scaling has one code for all requests that make no sense: no such wait, group or instance.
    if (awsCodeOf(error) !== 'ValidationError') throw error;
  }
};

/** The port over Auto Scaling. */
export const createDrainWaits = (client: AutoScalingClient): DrainWaits => ({
  end: (group, instanceId) => endWait(client, { group, hook: DRAIN_HOOK, instanceId }),
});
