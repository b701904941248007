import {
  type AutoScalingClient,
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { fromTagList } from '../tags.ts';
import type { ObservedGroup } from './model.ts';

/** What Auto Scaling is asked about groups. */
export interface GroupReads {
  /** Those of at most 50 groups that exist. */
  describe(names: readonly string[]): Promise<ObservedGroup[]>;
}

const versionOf = (text: string | undefined): number | undefined => {
  const version = Number(text);
  return Number.isInteger(version) ? version : undefined;
};

const observed = (group: AutoScalingGroup): ObservedGroup => ({
  name: group.AutoScalingGroupName ?? '',
  arn: group.AutoScalingGroupARN ?? '',
  status: group.Status,
  minSize: group.MinSize ?? 0,
  maxSize: group.MaxSize ?? 0,
  desired: group.DesiredCapacity ?? 0,
  subnetIds: (group.VPCZoneIdentifier ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean),
  cooldown: group.DefaultCooldown,
  warmup: group.DefaultInstanceWarmup,
  capacityRebalance: group.CapacityRebalance ?? false,
  templateId:
    group.LaunchTemplate?.LaunchTemplateId ??
    group.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification?.LaunchTemplateId,
  mixed: group.MixedInstancesPolicy,
  suspended: (group.SuspendedProcesses ?? []).flatMap(({ ProcessName }) => ProcessName ?? []),
  tags: fromTagList(group.Tags),
  instances: (group.Instances ?? []).map((instance) => ({
    id: instance.InstanceId ?? '',
    zone: instance.AvailabilityZone ?? '',
    type: instance.InstanceType ?? '',
    state: instance.LifecycleState ?? '',
    version: versionOf(instance.LaunchTemplate?.Version),
  })),
});

/** The port over Auto Scaling. */
export const createGroupReads = (client: AutoScalingClient): GroupReads => ({
  describe: async (AutoScalingGroupNames) => {
    const input = { AutoScalingGroupNames: [...AutoScalingGroupNames] };
    const { AutoScalingGroups = [] } = await client.send(new DescribeAutoScalingGroupsCommand(input));
    return AutoScalingGroups.map(observed);
  },
});
