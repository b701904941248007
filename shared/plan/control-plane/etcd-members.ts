import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import { findNode } from '../machines/node.ts';
import { findCondition, isTrue } from '../status/conditions.ts';
import type { EtcdMember, EtcdMembership, EtcdView } from './etcd-view.ts';
import { whyNoQuorum } from './leave-etcd.ts';
import { MEMBER } from './target-health.ts';

/**
 * Why etcd cannot count on the member of a node, or undefined: it is not listed, does not vote yet, or has raised an
 * alarm (upstream's updateManagedEtcdConditions, controlplane/kubeadm/pkg/workload_cluster_conditions.go).
 */
export const memberProblem = (node: string, { members, alarms }: EtcdMembership): string | undefined => {
  const member = members.find(({ name }) => name === node);
  if (!member) return `Etcd doesn't have an etcd member for Node ${node}`;
  if (member.learner) return 'Waiting for learner etcd member to be promoted';
  const alarm = alarms.get(member.id);
  return alarm && `Etcd reports alarms: ${alarm}`;
};

/** A machine usually joins within this time. */
const USUAL_SECONDS = 300;

/** Whether a machine has been joining for no longer than usual. */
const isJoining = ({ metadata, spec, status }: Machine, nodes: readonly V1Node[], now: Date): boolean => {
  const age = now.getTime() - Date.parse(metadata.creationTimestamp ?? '');
  return (
    !metadata.deletionTimestamp && !status?.nodeRef && age < USUAL_SECONDS * 1000 && !findNode(nodes, spec.providerID)
  );
};

/** Whether etcd has reported a problem with a member whose pod is ready. */
const isBadByEtcd = ({ status }: Machine): boolean =>
  isTrue(status?.conditions, 'EtcdPodHealthy') && findCondition(status?.conditions, MEMBER)?.status === 'False';

/**
 * Whether a pass must query etcd for the health of these control plane machines. While one of them joins, the control
 * plane is not changed, so what etcd reports does not matter yet, and the query would only delay the pass. The
 * exceptions are that etcd has reported a problem before, or that the machine takes unusually long.
 */
export const wantsMembership = (machines: readonly Machine[], nodes: readonly V1Node[], now: Date): boolean =>
  machines.some(isBadByEtcd) || !machines.some((machine) => isJoining(machine, nodes, now));

const addressesOf = ({ status }: Machine): string[] => (status?.addresses ?? []).map(({ address }) => address);

const isNamedFor = ({ name }: EtcdMember, { status }: Machine): boolean =>
  name !== '' && name === status?.nodeRef?.name;

const isHostedBy = ({ hosts }: EtcdMember, machine: Machine): boolean =>
  hosts.some((host) => addressesOf(machine).includes(host));

/**
 * Whether addresses show on which machine a member runs, even before the machine is a node: the joining machines have
 * addresses, and the addresses of all machines that are nodes are those of their members.
 */
const areAddressesKnown = (members: readonly EtcdMember[], joined: readonly Machine[], joining: readonly Machine[]) =>
  joining.every((machine) => addressesOf(machine).length > 0) &&
  joined.every((machine) => members.every((member) => !isNamedFor(member, machine) || isHostedBy(member, machine)));

/**
 * Members that do not belong to any of `machines`, which must be read after the members. A member is not reported as
 * long as it could belong to a machine that is not a node yet, unless addresses show that it does not. A member that
 * has never started, and so has no name, is not reported while a node has no member. If none of the machines has a
 * member, this is not their etcd.
 */
export const strayMembers = (members: readonly EtcdMember[], machines: readonly Machine[]): EtcdMember[] => {
  const { joined = [], joining = [] } = Object.groupBy(machines, ({ status }) =>
    status?.nodeRef ? 'joined' : 'joining',
  );
  const hasMember = (machine: Machine) => members.some((member) => isNamedFor(member, machine));
  if (!joined.some(hasMember)) return [];
  if (joining.length > 0 && !areAddressesKnown(members, joined, joining)) return [];
  const isWhole = joined.every(hasMember);
  return members.filter(
    (member) =>
      (member.name !== '' || isWhole) &&
      !machines.some((machine) => isNamedFor(member, machine) || isHostedBy(member, machine)),
  );
};

/**
 * A member without a machine that does not respond or has never started: etcd adds no other member while it is listed.
 * The remaining members must have a quorum (upstream's reconcileEtcdMembers). A member that responds runs on an
 * instance without a Machine, which users must check; it is removed when the next machine leaves.
 */
export const removableStray = (view: EtcdView, machines: readonly Machine[]): EtcdMember | undefined =>
  strayMembers(view.members, machines).find(({ id, name }) => {
    if (name === '') return true;
    const left = view.members.filter((member) => member.id !== id);
    return !view.reachable.has(id) && whyNoQuorum(left, view) === undefined;
  });
