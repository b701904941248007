import {
  type AutoScalingClient,
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
} from '@aws-sdk/client-auto-scaling';
import { fromTagList } from '../tags.ts';
import type { GroupHook, ObservedGroup } from './model.ts';

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
  protectsNew: group.NewInstancesProtectedFromScaleIn ?? false,
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

/** The groups that exist; at most 50 names. */
export const describeGroups = async (client: AutoScalingClient, names: readonly string[]): Promise<ObservedGroup[]> => {
  const request = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [...names] });
  return ((await client.send(request)).AutoScalingGroups ?? []).map(observed);
};

/** The lifecycle hooks of a group. */
export const describeHooks = async (client: AutoScalingClient, AutoScalingGroupName: string): Promise<GroupHook[]> => {
  const { LifecycleHooks = [] } = await client.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }));
  return LifecycleHooks;
};
