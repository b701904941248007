import {
  type AutoScalingClient,
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
  type Instance,
  paginateDescribeWarmPool,
} from '@aws-sdk/client-auto-scaling';
import { fromTagList } from '../tags.ts';
import type { GroupHook, GroupInstance, ObservedGroup } from './model.ts';

const versionOf = (text: string | undefined): number | undefined => {
  const version = Number(text);
  return Number.isInteger(version) ? version : undefined;
};

const instanceOf = (instance: Instance): GroupInstance => ({
  id: instance.InstanceId ?? '',
  zone: instance.AvailabilityZone ?? '',
  type: instance.InstanceType ?? '',
  state: instance.LifecycleState ?? '',
  version: versionOf(instance.LaunchTemplate?.Version),
});

/** AWS returns -1 if the pool has no limit of its own. */
const warmOf = ({ WarmPoolConfiguration: found }: AutoScalingGroup): ObservedGroup['warm'] => {
  if (!found) return undefined;
  const { MaxGroupPreparedCapacity: most = -1, MinSize: minSize = 0, PoolState: state = 'Stopped', Status } = found;
  const reuses = found.InstanceReusePolicy?.ReuseOnScaleIn === true;
  return { minSize, maxPrepared: most < 0 ? undefined : most, state, reuses, status: Status };
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
  instances: (group.Instances ?? []).map(instanceOf),
  warm: warmOf(group),
});

/** The existing groups among these; at most 50 names. */
export const describeGroups = async (client: AutoScalingClient, names: readonly string[]): Promise<ObservedGroup[]> => {
  const request = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [...names] });
  return ((await client.send(request)).AutoScalingGroups ?? []).map(observed);
};

/** The lifecycle hooks of a group. */
export const describeHooks = async (client: AutoScalingClient, AutoScalingGroupName: string): Promise<GroupHook[]> => {
  const { LifecycleHooks = [] } = await client.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }));
  return LifecycleHooks;
};

/** The instances of a group's warm pool. */
export const describeWarmInstances = async (
  client: AutoScalingClient,
  AutoScalingGroupName: string,
): Promise<GroupInstance[]> => {
  const found: GroupInstance[] = [];
  for await (const { Instances = [] } of paginateDescribeWarmPool({ client }, { AutoScalingGroupName }))
    found.push(...Instances.map(instanceOf));
  return found;
};
