import type { EtcdMember, EtcdView } from './etcd-view.ts';

/** The next step with which a machine's member leaves etcd. */
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
  /** Nodes of the remaining machines, in the order in which they may become the leader. */
  successors: readonly string[];
  /**
   * Nodes of all control plane machines; undefined as long as a machine has no node, because then it is unknown to
   * which machine a member belongs.
   */
  nodes: readonly string[] | undefined;
  /** Addresses of the other control plane machines. */
  elsewhere: readonly string[];
  /**
   * Nodes of the other machines on which all components of a control plane are healthy. Each counts only while its
   * member can be relied on: its API server stops with it.
   */
  servers: readonly string[];
}

const NOT_SERVED = 'no other control plane machine has all components in a healthy state';

const nameOf = ({ id, name }: EtcdMember): string => name || id;

/** Why a member cannot be relied on; undefined if it can. */
const problemOf = ({ id }: EtcdMember, { reachable, alarms }: EtcdView): string | undefined => {
  if (!reachable.has(id)) return 'does not answer';
  const alarm = alarms.get(id);
  return alarm && `has the alarm ${alarm}`;
};

/**
 * Why the remaining members could not decide without the unhealthy ones; undefined if they can. Upstream's rule is that
 * more than half of them must be healthy, and that none may still be a learner.
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

/**
 * The first of these members that belongs to no machine. A machine may be a node before its own member has a name, so a
 * member that has never started is not assumed to be a stray while another node has no member, nor at the address of
 * another machine.
 */
const strayIn = (
  members: readonly EtcdMember[],
  view: EtcdView,
  { nodes, leaving, elsewhere }: LeaveFacts,
): EtcdMember | undefined => {
  if (!nodes) return undefined;
  const isWhole = nodes.every((node) => node === leaving.node || view.members.some(({ name }) => name === node));
  return members.find(({ name, hosts }) =>
    name === '' ? isWhole && !hosts.some((host) => elsewhere.includes(host)) : !nodes.includes(name),
  );
};

/** Removes a member without a known machine. A member that has never started has no vote. */
const removeStray = (stray: EtcdMember, view: EtcdView): LeaveStep => {
  const left = view.members.filter((other) => other !== stray);
  const problem = stray.name === '' ? undefined : whyNoQuorum(left, view);
  return problem ? { do: 'wait', why: problem } : { do: 'remove-stray', member: stray };
};

/**
 * A machine that is not a member may never have become one because of a member without a machine that does not respond:
 * etcd adds no member in that case. Unless it is removed, the next machine could not join either.
 */
const clearTheWay = (view: EtcdView, facts: LeaveFacts): LeaveStep => {
  const silent = view.members.filter(({ id }) => !view.reachable.has(id));
  const lost = strayIn(silent, view, facts);
  const step = lost && removeStray(lost, view);
  return step?.do === 'remove-stray' ? step : { do: 'nothing' };
};

/**
 * How the member of a machine leaves. A member without a machine is removed first, then the leadership is moved, then
 * the member is removed. Each step requires that the remaining members have a quorum, and the last two require that
 * another machine serves the cluster (upstream's reconcilePreTerminateHook). Planned again before each action, from
 * etcd's current state.
 */
export const planLeave = (view: EtcdView, facts: LeaveFacts): LeaveStep => {
  const member = memberOf(facts.leaving, view);
  if (!member) return clearTheWay(view, facts);
  const left = view.members.filter((other) => other !== member);
  if (left.length === 0) return { do: 'wait', why: 'it is the last member of etcd' };
  // A learner has no vote, and etcd removes it regardless of members that do not respond.
  if (member.learner) return { do: 'remove', member };
  const stray = strayIn(left, view, facts);
  if (stray) return removeStray(stray, view);
  const problem = whyNoQuorum(left, view);
  if (problem) return { do: 'wait', why: problem };
  const able = left.filter((other) => !problemOf(other, view));
  const isServed = able.some(({ name }) => facts.servers.includes(name));
  // The machine's API server stops with its member. One that does not respond serves nobody.
  if (!isServed && view.reachable.has(member.id)) return { do: 'wait', why: NOT_SERVED };
  if (view.leader !== member.id) return { do: 'remove', member };
  const to =
    facts.successors.map((name) => able.find((one) => one.name === name)).find((one) => one !== undefined) ?? able[0];
  return to ? { do: 'move-leader', member, to } : { do: 'wait', why: 'no other member can lead' };
};
