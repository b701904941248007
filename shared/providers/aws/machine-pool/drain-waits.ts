import { type AutoScalingClient, CompleteLifecycleActionCommand } from '@aws-sdk/client-auto-scaling';
import { awsCodeOf } from '../../../aws/errors.ts';
import { DRAIN_HOOK } from '../../../kinds/aws-machine-pool/hook-names.ts';

/** Groups whose instances wait until their nodes are drained. */
export interface DrainWaits {
  /** Ends the wait of an instance. Succeeds if nothing is waiting. */
  end(group: string, instanceId: string): Promise<void>;
}

/** Ends an instance's wait for a lifecycle hook. Succeeds if nothing is waiting. */
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
    // Auto Scaling has one code for all invalid requests: no such wait, group or instance.
    if (awsCodeOf(error) !== 'ValidationError') throw error;
  }
};

/** The port, implemented with Auto Scaling. */
export const createDrainWaits = (client: AutoScalingClient): DrainWaits => ({
  end: (group, instanceId) => endWait(client, { group, hook: DRAIN_HOOK, instanceId }),
});
