/** The transitions of an instance from one state to the next. Source: the guide, "Instance lifecycle". */
import { terminate } from '../ec2/instances/state.ts';
import { lifeOf } from '../ec2/instances/view.ts';
import { AwsFault } from '../wire/fault.ts';
import { activityOf, endActivity } from './activities.ts';
import { beginWaits, LAUNCHING, outcomeOf, TERMINATING } from './hooks.ts';
import { isGone, lifeOfMember } from './members.ts';
import type { Group, Member } from './records.ts';
import { type AutoScaling, does } from './state.ts';
import { because, beginTermination } from './terminate.ts';
import { admitTraffic, isDraining } from './traffic.ts';
import { WARM_STEPS } from './warm-pool/steps.ts';

/** A step of one instance; true if something has changed. */
type Step = (as: AutoScaling, group: Group, member: Member) => boolean;

const fail = (as: AutoScaling, group: Group, member: Member, reason: string): true => {
  const cause = because(as, `an instance was taken out of service because it could not be launched: ${reason}`);
  beginTermination(as, group, member, { cause, reason });
  return true;
};

const pending: Step = (as, group, member) => {
  const life = lifeOfMember(as, member);
  if (isGone(life))
    return fail(as, group, member, 'Instance became unhealthy while waiting for instance to be in InService state.');
  if (life !== 'running') return false;
  member.state = beginWaits(as, group, member, LAUNCHING) ? 'Pending:Wait' : 'Pending:Proceed';
  return true;
};

const pendingWait: Step = (as, group, member) => {
  if (isGone(lifeOfMember(as, member))) return fail(as, group, member, 'The instance was terminated while it waited.');
  const outcome = outcomeOf(as, group, member);
  if (!outcome) return false;
  if (outcome.result === 'ABANDON') return fail(as, group, member, outcome.reason);
  member.waits = [];
  member.state = 'Pending:Proceed';
  return true;
};

const pendingProceed: Step = (as, group, member) => {
  if (lifeOfMember(as, member) !== 'running') return fail(as, group, member, 'The instance does not run.');
  try {
    if (does(group, 'AddToLoadBalancer')) admitTraffic(as, group, member.id);
  } catch (error) {
    if (!(error instanceof AwsFault)) throw error;
    return fail(as, group, member, error.message);
  }
  endActivity(as, group, activityOf(group, member.activityId), { status: 'Successful' });
  member.state = 'InService';
  member.inServiceAt = as.now();
  member.activityId = undefined;
  return true;
};

const terminating: Step = (as, group, member) => {
  const activity = activityOf(group, member.activityId);
  if (!group.isDeleting && isDraining(as, group, member.id)) {
    if (activity) activity.status = 'WaitingForELBConnectionDraining';
    return false;
  }
  const waits = !group.isDeleting && beginWaits(as, group, member, TERMINATING);
  if (activity) activity.status = waits ? 'MidLifecycleAction' : 'InProgress';
  member.state = waits ? 'Terminating:Wait' : 'Terminating:Proceed';
  return true;
};

const terminatingWait: Step = (as, group, member) => {
  // Either result lets the instance continue; ABANDON only ends the wait for the other hooks.
  if (!group.isDeleting && !outcomeOf(as, group, member)) return false;
  member.waits = [];
  member.state = member.state === 'Warmed:Terminating:Wait' ? 'Warmed:Terminating:Proceed' : 'Terminating:Proceed';
  return true;
};

const terminatingProceed: Step = (as, group, member) => {
  const { ec2, admit } = as.neighbours;
  const instance = ec2.instances.find(member.id);
  if (instance && !isGone(lifeOf(ec2, instance))) {
    try {
      admit('TerminateInstances', { InstanceIds: [member.id] });
    } catch (error) {
      // For example because of throttling: the group retries at its next check.
      if (error instanceof AwsFault) return false;
      throw error;
    }
    terminate(ec2, instance);
    return true;
  }
  if (instance && lifeOf(ec2, instance) !== 'terminated') return false;
  endActivity(as, group, activityOf(group, member.activityId), { status: 'Successful' });
  group.members.delete(member.id);
  return true;
};

const warmTerminating: Step = (as, group, member) => {
  const waits = !group.isDeleting && beginWaits(as, group, member, TERMINATING);
  member.state = waits ? 'Warmed:Terminating:Wait' : 'Warmed:Terminating:Proceed';
  return true;
};

const STEPS: Readonly<Partial<Record<Member['state'], Step>>> = {
  Pending: pending,
  'Pending:Wait': pendingWait,
  'Pending:Proceed': pendingProceed,
  Terminating: terminating,
  'Terminating:Wait': terminatingWait,
  'Terminating:Proceed': terminatingProceed,
  ...WARM_STEPS,
  'Warmed:Terminating': warmTerminating,
  'Warmed:Terminating:Wait': terminatingWait,
  'Warmed:Terminating:Proceed': terminatingProceed,
};

/** Moves each instance of a group that is due to its next state. Returns whether any moved. */
export const stepMembers = (as: AutoScaling, group: Group): boolean => {
  const moved = [...group.members.values()].map((member) => STEPS[member.state]?.(as, group, member) ?? false);
  return moved.includes(true);
};
