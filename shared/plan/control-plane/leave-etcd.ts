import type { EtcdMember, EtcdView } from './etcd-view.ts';

/** The next step by which a machine's member leaves etcd. */
export type LeaveStep =
  | { do: 'nothing' }
  | { do: 'move-leader'; member: EtcdMember; to: EtcdMember }
  | { do: 'remove'; member: EtcdMember }
  /** A member without a machine, which must be removed first. */
  | { do: 'remove-stray'; member: EtcdMember }
  | { do: 'wait'; why: string };

export interface LeaveFacts {
  /** The machine that leaves: its node, and its addresses, which identify a member that has never started. */
  leaving: { node: string; addresses: readonly string[] };
  /** Nodes of the machines that stay, in the order in which they may become the leader. */
  successors: readonly string[];
  /**
   * Nodes of all control plane machines; undefined while one has none yet, because then the machine of a member is
   * unknown.
   */
  nodes: readonly string[] | undefined;
  /** Whether all components of a control plane are healthy on another machine. */
  isServed: boolean;
}

const NOT_SERVED = 'no other control plane machine has all components in a healthy state';

const nameOf = ({ id, name }: EtcdMember): string => name || id;

/** Why a member cannot be counted on, or undefined. */
const problemOf = ({ id }: EtcdMember, { reachable, alarms }: EtcdView): string | undefined => {
  if (!reachable.has(id)) return 'does not answer';
  const alarm = alarms.get(id);
  return alarm && `has the alarm ${alarm}`;
};

/**
 * Why the members that remain could not decide without the unhealthy ones, or undefined if they can: upstream's rule,
 * more than half of them must be healthy, and none may still be a learner.
 */
export const whyNoQuorum = (left: readonly EtcdMember[], view: EtcdView): string | undefined => {
  const learner = left.find((member) => member.learner);
  if (learner) return `member ${nameOf(learner)} is still a learner`;
  const bad = left.flatMap((member) => {
    const problem = problemOf(member, view);
    return problem ? [`${nameOf(member)} ${problem}`] : [];
  });
  const needed = Math.floor(left.length / 2) + 1;
  if (left.length - bad.length >= needed) return undefined;
  return `${needed} of the ${left.length} remaining members must be healthy, but ${bad.join(', ')}`;
};

const memberOf = ({ node, addresses }: LeaveFacts['leaving'], { members }: EtcdView): EtcdMember | undefined =>
  members.find(({ name }) => name === node) ??
  members.find(({ name, hosts }) => name === '' && hosts.some((host) => addresses.includes(host)));

/** Removes a member without a known machine: one that never started has no vote. */
const removeStray = (stray: EtcdMember, view: EtcdView): LeaveStep => {
  const left = view.members.filter((other) => other !== stray);
  const problem = stray.name === '' ? undefined : whyNoQuorum(left, view);
  return problem ? { do: 'wait', why: problem } : { do: 'remove-stray', member: stray };
};

/**
 * A machine that is no member may never have become one because of a silent member without a machine: etcd adds none
 * while one is silent. Without this, the next machine could not join either.
 */
const clearTheWay = (view: EtcdView, nodes: LeaveFacts['nodes']): LeaveStep => {
  const lost = nodes && view.members.find(({ id, name }) => !nodes.includes(name) && !view.reachable.has(id));
  const step = lost && removeStray(lost, view);
  return step?.do === 'remove-stray' ? step : { do: 'nothing' };
};

/**
 * How the member of a machine leaves: a member without a machine goes first, then the leadership is moved, then the
 * member is removed; each only if the remaining members have a quorum, and the last two only if another machine serves
 * the cluster (upstream's reconcilePreTerminateHook). Planned again before each action, from etcd's current state.
 */
export const planLeave = (view: EtcdView, facts: LeaveFacts): LeaveStep => {
  const member = memberOf(facts.leaving, view);
  if (!member) return clearTheWay(view, facts.nodes);
  const left = view.members.filter((other) => other !== member);
  if (left.length === 0) return { do: 'wait', why: 'it is the last member of etcd' };
  // It has no vote, and etcd removes it regardless of silent members.
  if (member.learner) return { do: 'remove', member };
  const stray = facts.nodes && left.find(({ name }) => !facts.nodes?.includes(name));
  if (stray) return removeStray(stray, view);
  const problem = whyNoQuorum(left, view);
  if (problem) return { do: 'wait', why: problem };
  // The API server of the machine ends with its member. One that does not respond serves nobody.
  if (!facts.isServed && view.reachable.has(member.id)) return { do: 'wait', why: NOT_SERVED };
  if (view.leader !== member.id) return { do: 'remove', member };
  const able = left.filter((other) => !problemOf(other, view));
  const to =
    facts.successors.map((name) => able.find((one) => one.name === name)).find((one) => one !== undefined) ?? able[0];
  return to ? { do: 'move-leader', member, to } : { do: 'wait', why: 'no other member can lead' };
};
