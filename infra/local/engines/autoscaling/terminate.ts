/** Removes instances from a group. */
import { activityOf, beginActivity, causeTime, endActivity } from './activities.ts';
import type { Group, Member, Spot } from './records.ts';
import type { AutoScaling } from './state.ts';
import { endTraffic } from './traffic.ts';

/** Begins an activity's cause: `At <now> ...`. */
export const because = (as: AutoScaling, what: string): string => `At ${causeTime(as.now())} ${what}`;

export interface Farewell {
  readonly cause: string;
  readonly to?: Spot;
  /** The reason why the current activity about the instance ends. */
  readonly reason?: string;
}

/**
 * Starts to terminate an instance: it gets no more traffic. `Terminating` lasts until its connections are drained; then
 * it waits for hooks.
 */
export const beginTermination = (
  as: AutoScaling,
  group: Group,
  member: Member,
  { cause, to, reason }: Farewell,
): void => {
  endActivity(as, group, activityOf(group, member.activityId), { status: 'Cancelled', message: reason });
  const isPooled = member.state.startsWith('Warmed:');
  if (!isPooled) endTraffic(as, group, member.id);
  member.from = isPooled ? 'WarmPool' : 'AutoScalingGroup';
  member.to = to ?? 'EC2';
  member.waits = [];
  member.inServiceAt = undefined;
  if (to === 'WarmPool') member.state = 'Warmed:Pending';
  else member.state = isPooled ? 'Warmed:Terminating' : 'Terminating';
  const { id: instanceId, zone, subnetId } = member;
  const what = to === 'WarmPool' ? 'Returning EC2 instance to warm pool' : 'Terminating EC2 instance';
  const place = isPooled ? ' from warm pool' : '';
  const description = `${what}${place}: ${member.id}`;
  member.activityId = beginActivity(as, group, { description, cause, instanceId, zone, subnetId }).id;
};
