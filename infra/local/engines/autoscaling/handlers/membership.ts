import type * as sdk from '@aws-sdk/client-auto-scaling';
import { lifeOf } from '../../ec2/instances/view.ts';
import type { Instance } from '../../ec2/records.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { beginActivity, causeTime, endActivity } from '../activities.ts';
import { activeMembers, capacityOf } from '../members.ts';
import type { Activity, Group, Member } from '../records.ts';
import { type AutoScaling, getGroup, validationError } from '../state.ts';
import { because } from '../terminate.ts';
import { endTraffic } from '../traffic.ts';
import { decrement } from './instances.ts';
import { activityView } from './view.ts';

const GROUP_TAG = 'aws:autoscaling:groupName';

const attachable = (as: AutoScaling, group: Group, id: string): Instance => {
  const { ec2 } = as.neighbours;
  const instance = ec2.instances.find(id);
  if (!instance) throw validationError(`Invalid Instance ID(s): [${id}] specified`);
  if (lifeOf(ec2, instance) !== 'running')
    throw validationError(`Instance ${id} is not in correct state: it must be running`);
  if ([...as.groups.values()].some(({ members }) => members.has(id)))
    throw validationError(`Instance ${id} is already part of an AutoScalingGroup`);
  if (!group.zones.includes(instance.zone))
    throw validationError(`Instance ${id} is not in an Availability Zone of the AutoScalingGroup`);
  return instance;
};

const memberOf = (as: AutoScaling, group: Group, instance: Instance): Member => ({
  ...{ id: instance.id, zone: instance.zone, subnetId: instance.subnetId, instanceType: instance.instanceType },
  ...{ imageId: instance.imageId, template: undefined, weight: 1, isSpot: instance.isSpot, launchedAt: as.now() },
  state: 'Pending',
  unhealthy: undefined,
  isProtected: group.protectsNew,
  inServiceAt: undefined,
  waits: [],
  activityId: undefined,
  ...{ from: 'EC2', to: 'AutoScalingGroup' },
});

const attach = (as: AutoScaling, { AutoScalingGroupName, InstanceIds = [] }: sdk.AttachInstancesQuery): void => {
  const group = getGroup(as, AutoScalingGroupName);
  const instances = InstanceIds.map((id) => attachable(as, group, id));
  if (group.desired + instances.length > group.max)
    throw validationError(
      `AttachInstances request would make the desired capacity ${group.desired + instances.length}, above the max value ${group.max} of the AutoScalingGroup.`,
    );
  for (const instance of instances) {
    const member = memberOf(as, group, instance);
    const { id: instanceId, zone, subnetId } = member;
    const cause = because(
      as,
      `an instance was attached in response to a user request, increasing the capacity from ${group.desired} to ${group.desired + 1}.`,
    );
    const description = `Attaching an existing EC2 instance: ${instanceId}`;
    member.activityId = beginActivity(as, group, { description, cause, instanceId, zone, subnetId }).id;
    group.members.set(instanceId, member);
    group.desired += 1;
    instance.tags.set(GROUP_TAG, group.name);
  }
};

const detachOne = (as: AutoScaling, group: Group, member: Member, shrinks: boolean): Activity => {
  const { id: instanceId, zone, subnetId } = member;
  const have = capacityOf(activeMembers(group));
  const shrinking = shrinks ? `, shrinking the capacity from ${have} to ${have - member.weight}` : '';
  const cause = `At ${causeTime(as.now())} instance ${instanceId} was detached in response to a user request${shrinking}.`;
  const description = `Detaching EC2 instance: ${instanceId}`;
  const activity = beginActivity(as, group, { description, cause, instanceId, zone, subnetId });
  endTraffic(as, group, instanceId);
  group.members.delete(instanceId);
  as.neighbours.ec2.instances.find(instanceId)?.tags.delete(GROUP_TAG);
  endActivity(as, group, activity, { status: 'Successful' });
  return activity;
};

const detach = (as: AutoScaling, input: sdk.DetachInstancesQuery): sdk.DetachInstancesAnswer => {
  const group = getGroup(as, input.AutoScalingGroupName);
  const members = (input.InstanceIds ?? []).map((id) => {
    const member = group.members.get(id);
    if (member?.state !== 'InService')
      throw validationError(`The instance ${id} is not part of Auto Scaling group ${group.name}, or not InService.`);
    return member;
  });
  const shrinks = input.ShouldDecrementDesiredCapacity === true;
  if (shrinks) decrement(group, capacityOf(members), 'Detaching');
  const activities = members.map((member) => detachOne(as, group, member, shrinks));
  return { Activities: activities.map((activity) => activityView(as, group, activity)) };
};

/** Instances that a user attaches to or detaches from a group without terminating them. */
export const membershipActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  AttachInstances: (input) => {
    attach(as, input);
    return {};
  },
  DetachInstances: (input) => detach(as, input),
});
