import type * as sdk from '@aws-sdk/client-auto-scaling';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { activityOf, causeTime } from '../activities.ts';
import { graceEnds } from '../health.ts';
import { activeMembers, capacityOf, isLeaving } from '../members.ts';
import type { Activity, Group, Member } from '../records.ts';
import { type AutoScaling, getGroup, scaled, validationError } from '../state.ts';
import { because, beginTermination } from '../terminate.ts';
import { page } from './pages.ts';
import { activityView, detailsView } from './view.ts';

/** The group and the member of an instance. Throws a ValidationError if no group has the instance. */
const findMember = (as: AutoScaling, id: string | undefined): { group: Group; member: Member } => {
  for (const group of as.groups.values()) {
    const member = group.members.get(id ?? '');
    if (member) return { group, member };
  }
  throw validationError(`Instance Id not found - No managed instance found for instance ID ${id}`);
};

/** Decreases the desired capacity by one. Throws a ValidationError if the group would be smaller than its minimum. */
export const decrement = (group: Group, weight: number, what: string): void => {
  if (group.desired - weight < group.min)
    throw validationError(
      `Currently, desiredSize equals minSize (${group.min}). ${what} instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
    );
  group.desired -= weight;
};

const setDesired = (as: AutoScaling, input: sdk.SetDesiredCapacityType): void => {
  onlySimulated('autoscaling:SetDesiredCapacity', input, ['AutoScalingGroupName', 'DesiredCapacity', 'HonorCooldown']);
  const group = getGroup(as, input.AutoScalingGroupName);
  const { DesiredCapacity: desired = -1 } = input;
  const refuse = (side: string) =>
    validationError(`New SetDesiredCapacity value ${desired} is ${side} for the AutoScalingGroup.`);
  if (desired > group.max) throw refuse(`above max value ${group.max}`);
  if (desired < group.min) throw refuse(`below min value ${group.min}`);
  const cooled = (group.scaledAt ?? -Infinity) + scaled(as, group.cooldownSeconds);
  if (input.HonorCooldown && as.now() < cooled)
    throw new AwsFault(
      'ScalingActivityInProgress',
      `Scaling activity is in progress: the cooldown ends at ${causeTime(cooled)}.`,
    );
  if (desired !== group.desired)
    group.cause = `At ${causeTime(as.now())} a user request explicitly set group desired capacity changing the desired capacity from ${group.desired} to ${desired}.  `;
  Object.assign(group, { desired, retryAt: 0, failures: 0 });
};

const terminateInGroup = (as: AutoScaling, input: sdk.TerminateInstanceInAutoScalingGroupType): sdk.ActivityType => {
  const { group, member } = findMember(as, input.InstanceId);
  const view = (activity: Activity | undefined) => ({ Activity: activity && activityView(as, group, activity) });
  if (member.state.startsWith('Warmed:'))
    throw validationError(`The instance ${member.id} is in the warm pool of Auto Scaling group ${group.name}.`);
  if (isLeaving(member)) return view(activityOf(group, member.activityId));
  const have = capacityOf(activeMembers(group));
  const shrinks = input.ShouldDecrementDesiredCapacity === true;
  if (shrinks) decrement(group, member.weight, 'Terminating');
  const shrinking = shrinks ? `, shrinking the capacity from ${have} to ${have - member.weight}` : '';
  const cause = because(
    as,
    `instance ${member.id} was taken out of service in response to a user request${shrinking}.`,
  );
  beginTermination(as, group, member, { cause });
  return view(activityOf(group, member.activityId));
};

const membersOf = (group: Group, ids: readonly string[] | undefined): Member[] => {
  const unknown = ids?.find((id) => !group.members.has(id));
  if (unknown !== undefined)
    throw validationError(`The instance ${unknown} is not part of Auto Scaling group ${group.name}.`);
  return (ids ?? []).flatMap((id) => group.members.get(id) ?? []);
};

const setHealth = (as: AutoScaling, input: sdk.SetInstanceHealthQuery): void => {
  const { group, member } = findMember(as, input.InstanceId);
  const { HealthStatus: health, ShouldRespectGracePeriod: respects = true } = input;
  if (health !== 'Healthy' && health !== 'Unhealthy')
    throw validationError(`The health status '${health}' is not valid. Valid values are: Healthy, Unhealthy`);
  const isYoung = respects && as.now() < graceEnds(as, group, member) && group.gracePeriodSeconds > 0;
  if (health === 'Healthy') member.unhealthy = undefined;
  else if (!isYoung) member.unhealthy = 'user';
};

/** The desired capacity, and calls about single instances of groups. */
export const instanceActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  SetDesiredCapacity: (input) => {
    setDesired(as, input);
    return {};
  },
  TerminateInstanceInAutoScalingGroup: (input) => terminateInGroup(as, input),
  SetInstanceProtection: ({ AutoScalingGroupName, InstanceIds, ProtectedFromScaleIn = false }) => {
    for (const member of membersOf(getGroup(as, AutoScalingGroupName), InstanceIds))
      member.isProtected = ProtectedFromScaleIn;
    return {};
  },
  SetInstanceHealth: (input) => {
    setHealth(as, input);
    return {};
  },
  DescribeAutoScalingInstances: (input) => {
    const all = [...as.groups.values()].flatMap((group) =>
      [...group.members.values()].map((member) => detailsView(group, member)),
    );
    const wanted = all.filter(
      ({ InstanceId = '' }) => !input.InstanceIds?.length || input.InstanceIds.includes(InstanceId),
    );
    const { rows, NextToken } = page(wanted, input, { most: 50 });
    return { AutoScalingInstances: rows, NextToken };
  },
});
