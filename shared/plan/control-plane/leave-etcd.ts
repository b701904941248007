import type { EtcdMember, EtcdView } from '../../workload/etcdctl.ts';

/** The next step by which a machine's member leaves etcd. */
export type LeaveStep =
  | { do: 'nothing' }
  | { do: 'move-leader'; to: EtcdMember }
  | { do: 'remove'; member: EtcdMember }
  | { do: 'wait'; why: string };

/**
 * Whether the members that would be left can decide without one that does not answer: upstream's rule, more than half of
 * the voting members that remain have to answer, and none may still be learning.
 */
const keepsQuorum = (left: readonly EtcdMember[], { reachable }: EtcdView): string | undefined => {
  const learner = left.find((member) => member.learner);
  if (learner) return `member ${learner.name || learner.id} is still a learner`;
  const silent = left.filter(({ id }) => !reachable.has(id));
  const needed = Math.floor(left.length / 2) + 1;
  if (left.length - silent.length >= needed) return undefined;
  const names = silent.map(({ id, name }) => name || id).join(', ');
  return `of the ${left.length} members that would be left ${needed} have to answer, and ${names} do not`;
};

/**
 * How the member of the node `leaving` leaves: leadership first goes to another, `successors` in their order, then the
 * member is removed; only if what is left has a quorum. Planned anew before each act, from what etcd says right then.
 */
export const planLeave = (view: EtcdView, leaving: string, successors: readonly string[]): LeaveStep => {
  const member = view.members.find(({ name }) => name === leaving);
  if (!member) return { do: 'nothing' };
  const left = view.members.filter((other) => other !== member);
  if (left.length === 0) return { do: 'wait', why: 'it is the last member of etcd' };
  const problem = keepsQuorum(left, view);
  if (problem) return { do: 'wait', why: problem };
  if (view.leader !== member.id) return { do: 'remove', member };
  const able = left.filter(({ id }) => view.reachable.has(id));
  const to =
    successors.map((name) => able.find((one) => one.name === name)).find((one) => one !== undefined) ?? able[0];
  return to ? { do: 'move-leader', to } : { do: 'wait', why: 'no other member can lead' };
};
