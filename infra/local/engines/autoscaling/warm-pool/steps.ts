/** Prepares instances in a warm pool. Source: the guide, "Use lifecycle hooks with a warm pool". */
import type { LifecycleState } from '@aws-sdk/client-auto-scaling';
import { stop } from '../../ec2/instances/state.ts';
import { AwsFault } from '../../wire/fault.ts';
import { activityOf, endActivity } from '../activities.ts';
import { beginWaits, LAUNCHING, outcomeOf } from '../hooks.ts';
import { lifeOfMember } from '../members.ts';
import type { Group, Member } from '../records.ts';
import type { AutoScaling } from '../state.ts';
import { because, beginTermination } from '../terminate.ts';
import { isDraining } from '../traffic.ts';

type Step = (as: AutoScaling, group: Group, member: Member) => boolean;

/** An instance from the group loses its connections first. */
const pending: Step = (as, group, member) => {
  if (lifeOfMember(as, member) !== 'running' || isDraining(as, group, member.id)) return false;
  member.state = beginWaits(as, group, member, LAUNCHING) ? 'Warmed:Pending:Wait' : 'Warmed:Pending:Proceed';
  return true;
};

const pendingWait: Step = (as, group, member) => {
  const outcome = outcomeOf(as, group, member);
  if (!outcome) return false;
  member.waits = [];
  if (outcome.result === 'CONTINUE') {
    member.state = 'Warmed:Pending:Proceed';
    return true;
  }
  const cause = because(as, `an instance was taken out of the warm pool: ${outcome.reason}`);
  beginTermination(as, group, member, { cause, reason: outcome.reason });
  return true;
};

const ready = (as: AutoScaling, group: Group, member: Member, state: LifecycleState): true => {
  endActivity(as, group, activityOf(group, member.activityId), { status: 'Successful' });
  member.activityId = undefined;
  member.state = state;
  return true;
};

const pendingProceed: Step = (as, group, member) => {
  const { ec2, admit } = as.neighbours;
  const life = lifeOfMember(as, member);
  if (group.warmPool?.poolState !== 'Stopped') return life === 'running' && ready(as, group, member, 'Warmed:Running');
  if (life === 'stopped') return ready(as, group, member, 'Warmed:Stopped');
  const instance = ec2.instances.find(member.id);
  if (life !== 'running' || !instance) return false;
  try {
    admit('StopInstances', { InstanceIds: [member.id] });
  } catch (error) {
    // For example because of throttling: retried at the next check.
    if (error instanceof AwsFault) return false;
    throw error;
  }
  stop(ec2, instance);
  return true;
};

export const WARM_STEPS: Readonly<Partial<Record<LifecycleState, Step>>> = {
  'Warmed:Pending': pending,
  'Warmed:Pending:Wait': pendingWait,
  'Warmed:Pending:Proceed': pendingProceed,
};
