/**
 * The events that Auto Scaling sends to EventBridge. Source of their forms: the Auto Scaling guide, "EventBridge event
 * reference".
 */
import { type BusEvent, eventTime } from '../events/bus.ts';
import { arnOf } from '../wire/place.ts';
import type { Activity, Group, Hook, HookWait, Member, Refresh } from './records.ts';
import type { AutoScaling } from './state.ts';

interface Report {
  readonly detailType: string;
  readonly instanceId?: string;
  readonly detail: object;
}

const put = (as: AutoScaling, group: Group, { detailType, instanceId, detail }: Report): void => {
  const { place, bus } = as;
  const event: BusEvent = {
    version: '0',
    id: place.random.uuid(),
    'detail-type': detailType,
    source: 'aws.autoscaling',
    account: place.accountId,
    time: eventTime(place.clock.now()),
    region: place.region,
    resources: [group.arn, ...(instanceId ? [arnOf(place, 'ec2', `instance/${instanceId}`)] : [])],
    detail,
  };
  bus.put(event);
};

/** The end of an activity: an instance was launched or terminated, or could not be. */
export const emitScaling = (as: AutoScaling, group: Group, activity: Activity): void => {
  const isLaunch = activity.description.startsWith('Launching');
  if (!isLaunch && !activity.description.startsWith('Terminating')) return;
  const outcome = activity.status === 'Successful' ? 'Successful' : 'Unsuccessful';
  const detailType = `EC2 Instance ${isLaunch ? 'Launch' : 'Terminate'} ${outcome}`;
  const member = group.members.get(activity.instanceId ?? '');
  const time = (at: number | undefined) => new Date(at ?? as.now()).toISOString();
  put(as, group, {
    detailType,
    instanceId: activity.instanceId,
    detail: {
      StatusCode: activity.status === 'Successful' ? 'InProgress' : 'Failed',
      Description: activity.description,
      AutoScalingGroupName: group.name,
      ActivityId: activity.id,
      Details: JSON.parse(activity.details),
      RequestId: activity.id,
      StatusMessage: activity.message ?? '',
      StartTime: time(activity.startedAt),
      EndTime: time(activity.endedAt),
      EC2InstanceId: activity.instanceId ?? '',
      Cause: activity.cause,
      Origin: member?.from ?? (isLaunch ? 'EC2' : 'AutoScalingGroup'),
      Destination: member?.to ?? (isLaunch ? 'AutoScalingGroup' : 'EC2'),
    },
  });
};

/** An instance waits for a hook. */
export const emitHook = (as: AutoScaling, group: Group, member: Member, hook: Hook, wait: HookWait): void => {
  const isLaunch = hook.transition === 'autoscaling:EC2_INSTANCE_LAUNCHING';
  put(as, group, {
    detailType: `EC2 Instance-${isLaunch ? 'launch' : 'terminate'} Lifecycle Action`,
    detail: {
      LifecycleActionToken: wait.token,
      AutoScalingGroupName: group.name,
      LifecycleHookName: hook.name,
      EC2InstanceId: member.id,
      LifecycleTransition: hook.transition,
      ...(hook.metadata === undefined ? {} : { NotificationMetadata: hook.metadata }),
      Origin: member.from,
      Destination: member.to,
    },
  });
};

/** A change of an instance refresh: `Started`, `Checkpoint Reached`, `Succeeded`, ... */
export const emitRefresh = (as: AutoScaling, group: Group, refresh: Refresh, what: string, more: object = {}): void =>
  put(as, group, {
    detailType: `EC2 Auto Scaling Instance Refresh ${what}`,
    detail: { InstanceRefreshId: refresh.id, AutoScalingGroupName: group.name, ...more },
  });
