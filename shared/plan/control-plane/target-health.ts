import type { Machine } from '../../kinds/index.ts';
import { findCondition, isTrue } from '../status/conditions.ts';
import type { HealthConditions } from './distribution-rules.ts';
import type { EtcdMember, EtcdView } from './etcd-view.ts';
import { whyNoQuorum } from './leave-etcd.ts';
import { isDeleting, isJoining } from './preflight.ts';

const having = (machine: Machine, types: readonly string[]): boolean =>
  types.every((type) => isTrue(machine.status?.conditions, type));

/** The condition of a machine's etcd member. */
export const MEMBER = 'EtcdMemberHealthy';

/**
 * The machines that have all components of a control plane in a healthy state, including the etcd pod if they have one.
 */
export const workingMachines = (machines: readonly Machine[], { components, etcd }: HealthConditions): Machine[] =>
  machines.filter((machine) => having(machine, [...components, ...etcd.filter((type) => type !== MEMBER)]));

/** Whether at least one machine has all components of a control plane in a healthy state. */
export const hasWorkingMachine = (machines: readonly Machine[], health: HealthConditions): boolean =>
  workingMachines(machines, health).length > 0;

/**
 * Whether working components only exist on machines that are being deleted. Those wait for another machine with working
 * components, and none is created while they exist, so the remaining machines must be remediated first.
 */
export const isServedByLeaving = (machines: readonly Machine[], health: HealthConditions): boolean => {
  const { going = [], staying = [] } = Object.groupBy(machines, (one) => (isDeleting(one) ? 'going' : 'staying'));
  return !staying.some(isJoining) && hasWorkingMachine(going, health) && !hasWorkingMachine(staying, health);
};

const quorumOf = (voting: number): number => Math.floor(voting / 2) + 1;

/**
 * Whether etcd keeps its quorum without the member of `leaving`: the remaining healthy members must have a majority,
 * and none may still be a learner (upstream's targetEtcdClusterHealthy). A member is healthy if it responds without an
 * alarm, unless its machine reports otherwise. Upstream relies only on what the machine reports, which is unknown here
 * while its kubelet does not respond.
 */
export const keepsQuorumWithout = (
  { members, reachable, alarms }: EtcdView,
  leaving: string,
  machines: readonly Machine[],
): boolean => {
  const left = members.filter(({ name }) => name !== leaving);
  if (left.some(({ learner, name }) => learner || name === '')) return false;
  const healthy = left.filter(({ id, name }) => {
    const machine = machines.find(({ status }) => status?.nodeRef?.name === name);
    const isReportedBad = findCondition(machine?.status?.conditions, MEMBER)?.status === 'False';
    return reachable.has(id) && !alarms.has(id) && !isReportedBad;
  });
  return healthy.length >= quorumOf(left.length);
};

/**
 * Whether joining or leaving machines would wait forever because the member of `node` does not respond: etcd can work
 * without it, but adds no member in that case, and needs the members of all machines in `leaving`.
 */
export const isInTheWay = (view: EtcdView, node: string, leaving: readonly Machine[]): boolean => {
  const named = (name?: string) => view.members.find((member) => member.name === name);
  const mayGo = (gone: EtcdMember) =>
    whyNoQuorum(
      view.members.filter((member) => member !== gone),
      view,
    ) === undefined;
  const silent = named(node);
  if (!silent || view.reachable.has(silent.id) || !mayGo(silent)) return false;
  const members = leaving.map(({ status }) => named(status?.nodeRef?.name));
  return members.every((member) => member !== undefined && !mayGo(member));
};

/**
 * Why no machine may be added to complete a remediation although others are also unhealthy; undefined if one may. The
 * new member counts as unhealthy, unless there is only one member, which could otherwise never get a second. Members
 * are counted by machines here; etcd itself refuses a member that would cost the quorum.
 */
export const whyNotAdd = (machines: readonly Machine[], health: HealthConditions): string | undefined => {
  if (machines.length > 0 && !hasWorkingMachine(machines, health)) {
    return '* cannot add a new control plane Machine when there are no control plane Machines with all Kubernetes control plane components in healthy state. Please check Kubernetes control plane component status';
  }
  if (health.etcd.length === 0) return undefined;
  const members = machines.filter(({ status }) => status?.nodeRef);
  const healthy = members.filter((machine) => having(machine, [MEMBER])).length + (members.length > 1 ? 0 : 1);
  if (healthy >= quorumOf(members.length + 1)) return undefined;
  return '* adding a new control plane Machine can lead to etcd quorum loss. Please check the etcd status';
};
