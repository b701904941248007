/** Changes outside Windlass to a pool's Auto Scaling group and launch template. */
import {
  type AutoScalingGroup,
  CancelInstanceRefreshCommand,
  DeleteAutoScalingGroupCommand,
  DeleteLifecycleHookCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  PutLifecycleHookCommand,
  SetDesiredCapacityCommand,
  SetInstanceHealthCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand, DeleteLaunchTemplateCommand } from '@aws-sdk/client-ec2';
import type { Change, Place } from './change.ts';

type OfGroup = (group: AutoScalingGroup, ...given: Parameters<Change>) => ReturnType<Change>;

export const groupsIn = async ({ autoScaling }: Pick<Place, 'autoScaling'>): Promise<AutoScalingGroup[]> => {
  const { AutoScalingGroups = [] } = await autoScaling.send(new DescribeAutoScalingGroupsCommand({}));
  return AutoScalingGroups;
};

/** A change to an existing group. It counts as impossible if AWS refuses it, for example during a deletion. */
const ofGroup =
  (change: OfGroup): Change =>
  async (place, dice) => {
    const group = (await groupsIn(place)).find(({ Status }) => Status === undefined);
    if (group === undefined) return undefined;
    try {
      return await change(group, place, dice);
    } catch (error) {
      if ((error as { $fault?: string }).$fault === 'client') return undefined;
      throw error;
    }
  };

const nameOf = ({ AutoScalingGroupName }: AutoScalingGroup) => ({ AutoScalingGroupName });

const inService = ({ Instances = [] }: AutoScalingGroup) =>
  Instances.filter(({ LifecycleState }) => LifecycleState === 'InService');

export const GROUPS: Readonly<Record<string, Change>> = {
  setCapacity: ofGroup(async (group, { autoScaling }, { roll }) => {
    const { MinSize = 0, MaxSize = 0 } = group;
    const DesiredCapacity = MinSize + roll(MaxSize - MinSize + 1);
    await autoScaling.send(new SetDesiredCapacityCommand({ ...nameOf(group), DesiredCapacity }));
    return `the group gets the capacity ${DesiredCapacity}`;
  }),
  setMaximum: ofGroup(async (group, { autoScaling }) => {
    await autoScaling.send(new UpdateAutoScalingGroupCommand({ ...nameOf(group), MaxSize: (group.MaxSize ?? 0) + 1 }));
    return 'the group may become larger';
  }),
  suspend: ofGroup(async (group, { autoScaling }, { one }) => {
    const ScalingProcesses = [one(['Launch', 'Terminate', 'ReplaceUnhealthy']) ?? ''];
    await autoScaling.send(new SuspendProcessesCommand({ ...nameOf(group), ScalingProcesses }));
    return `${ScalingProcesses[0]} of the group is suspended`;
  }),
  removeTag: ofGroup(async (group, { autoScaling }, { one }) => {
    const tag = one((group.Tags ?? []).filter(({ Key }) => Key === 'tier' || Key === 'Name'));
    if (tag === undefined) return undefined;
    const Tags = [{ ResourceId: group.AutoScalingGroupName, ResourceType: 'auto-scaling-group', Key: tag.Key }];
    await autoScaling.send(new DeleteTagsCommand({ Tags }));
    return `the group loses its tag ${tag.Key}`;
  }),
  removeHook: ofGroup(async (group, { autoScaling }) => {
    await autoScaling.send(new DeleteLifecycleHookCommand({ ...nameOf(group), LifecycleHookName: 'windlass-drain' }));
    return 'the group loses its lifecycle hook';
  }),
  addHook: ofGroup(async (group, { autoScaling }) => {
    const hook = { LifecycleHookName: 'of-others', LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING' };
    await autoScaling.send(new PutLifecycleHookCommand({ ...nameOf(group), ...hook, HeartbeatTimeout: 60 }));
    return 'the group gets another lifecycle hook';
  }),
  endInstance: ofGroup(async (group, { autoScaling }, { one, roll }) => {
    const { InstanceId } = one(inService(group)) ?? {};
    if (InstanceId === undefined) return undefined;
    const ShouldDecrementDesiredCapacity = roll(2) === 0;
    await autoScaling.send(
      new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity }),
    );
    return `the group ends ${InstanceId}${ShouldDecrementDesiredCapacity ? ' and becomes smaller' : ''}`;
  }),
  failInstance: ofGroup(async (group, { autoScaling }, { one }) => {
    const { InstanceId } = one(inService(group)) ?? {};
    if (InstanceId === undefined) return undefined;
    await autoScaling.send(new SetInstanceHealthCommand({ InstanceId, HealthStatus: 'Unhealthy' }));
    return `instance ${InstanceId} of the group counts as unhealthy`;
  }),
  cancelRefresh: ofGroup(async (group, { autoScaling }) => {
    await autoScaling.send(new CancelInstanceRefreshCommand(nameOf(group)));
    return 'the instance refresh of the group is cancelled';
  }),
  addVersion: ofGroup(async (group, { ec2 }) => {
    const LaunchTemplateName = group.AutoScalingGroupName;
    const LaunchTemplateData = { InstanceType: 't3.large' } as const;
    await ec2.send(
      new CreateLaunchTemplateVersionCommand({ LaunchTemplateName, SourceVersion: '$Latest', LaunchTemplateData }),
    );
    return 'the launch template gets another version';
  }),
  deleteTemplate: ofGroup(async (group, { ec2 }, { roll }) => {
    if (roll(2) === 0) return undefined;
    await ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: group.AutoScalingGroupName }));
    return 'the launch template is deleted';
  }),
  deleteGroup: ofGroup(async (group, { autoScaling }, { roll }) => {
    if (roll(2) === 0) return undefined;
    await autoScaling.send(new DeleteAutoScalingGroupCommand({ ...nameOf(group), ForceDelete: true }));
    return 'the group is deleted';
  }),
};
