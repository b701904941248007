import { start } from '../../ec2/instances/state.ts';
import { AwsFault } from '../../wire/fault.ts';
import { beginActivity } from '../activities.ts';
import { launchCause } from '../launch.ts';
import { isGone, lifeOfMember } from '../members.ts';
import type { Group, Member } from '../records.ts';
import type { AutoScaling } from '../state.ts';

const READY: readonly string[] = ['Warmed:Stopped', 'Warmed:Running'];

/** Starts a stopped instance. Returns whether EC2 allowed it. */
const wake = (as: AutoScaling, { id }: Member): boolean => {
  const { ec2, admit } = as.neighbours;
  const instance = ec2.instances.find(id);
  if (!instance) return false;
  try {
    admit('StartInstances', { InstanceIds: [id] });
  } catch (error) {
    if (error instanceof AwsFault) return false;
    throw error;
  }
  start(ec2, instance);
  return true;
};

/** Moves the instance that was prepared first into the group. Returns whether there was one. */
export const takeFromPool = (as: AutoScaling, group: Group): boolean => {
  const ready = [...group.members.values()].filter(
    (member) => READY.includes(member.state) && !isGone(lifeOfMember(as, member)),
  );
  const [first] = ready.toSorted((a, b) => a.launchedAt - b.launchedAt);
  if (!first || (first.state === 'Warmed:Stopped' && !wake(as, first))) return false;
  const { id: instanceId, zone, subnetId } = first;
  const cause = launchCause(as, group, 'AutoScalingGroup');
  const description = `Launching a new EC2 instance from warm pool: ${instanceId}`;
  Object.assign(first, { state: 'Pending', from: 'WarmPool', to: 'AutoScalingGroup', isProtected: group.protectsNew });
  first.activityId = beginActivity(as, group, { description, cause, instanceId, zone, subnetId }).id;
  group.replacements = Math.max(0, group.replacements - 1);
  return true;
};
