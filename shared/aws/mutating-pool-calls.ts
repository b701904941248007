import type { MutatingCalls } from './mutating-call.ts';

const pools = (name: string): string => `shared/providers/aws/machine-pool/${name}.ts`;

/** The rows of `mutating-calls.ts` for launch templates and Auto Scaling groups. */
export const POOL_CALLS: readonly MutatingCalls[] = [
  {
    proof: 'created',
    by: 'the tags of the cluster and the pool go into the call; IAM demands them; the name is that of the pool alone',
    calls: {
      'auto-scaling:CreateAutoScalingGroup': [pools('api')],
      'ec2:CreateLaunchTemplate': [pools('template-api')],
    },
  },
  {
    proof: 'described',
    by: 'isPools proves it to be the pool’s, by its tags (observePool, removePool); a template without the pool’s tag is only deleted if the pool has recorded it',
    calls: {
      'auto-scaling:CancelInstanceRefresh': [pools('api')],
      'auto-scaling:CreateOrUpdateTags': [pools('api')],
      'auto-scaling:DeleteAutoScalingGroup': [pools('api')],
      'auto-scaling:DeleteLifecycleHook': [pools('api')],
      'auto-scaling:DeleteTags': [pools('api')],
      'auto-scaling:DeleteWarmPool': [pools('api')],
      'auto-scaling:PutLifecycleHook': [pools('api')],
      'auto-scaling:PutWarmPool': [pools('api')],
      'auto-scaling:ResumeProcesses': [pools('api')],
      'auto-scaling:StartInstanceRefresh': [pools('api')],
      'auto-scaling:SuspendProcesses': [pools('api')],
      'auto-scaling:UpdateAutoScalingGroup': [pools('api')],
      'ec2:CreateLaunchTemplateVersion': [pools('template-api')],
      'ec2:DeleteLaunchTemplate': [pools('template-api')],
      'ec2:DeleteLaunchTemplateVersions': [pools('template-api')],
    },
  },
  {
    proof: 'described',
    by: 'ownershipOf proves the instance to be the machine’s, and its tag aws:autoscaling:groupName names the group (terminateInstance); or isPools proves the group to be the pool’s (observePool)',
    calls: {
      'auto-scaling:CompleteLifecycleAction': [pools('drain-waits')],
    },
  },
];
