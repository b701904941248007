/** Parts of a workload cluster's control plane that do not belong to any Machine. */
import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { Condition } from '../../kube-api/object.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';
import { CONTROL_PLANE_ROLE } from './default-taint.ts';
import { strayMembers } from './etcd-members.ts';
import type { EtcdMembership } from './etcd-view.ts';
import { isDeleting } from './preflight.ts';

/**
 * Windlass's own condition, with which the pass that has observed them informs the next status of the control plane.
 */
const TYPE = 'windlass.dev/WithoutMachine';
const MEMBER = 'Etcd member';
const NODE = 'Control plane Node';
/** The workload cluster's users may create any number of nodes. */
const MOST = 5;

/** One line for each stray. */
export interface Strays {
  members: readonly string[];
  nodes: readonly string[];
}

export interface StrayFacts {
  /** The machines of the control plane, without copies. */
  machines: readonly Machine[];
  nodes: readonly V1Node[];
  /** Undefined if etcd was not queried. */
  etcd: EtcdMembership | undefined;
}

/** What the last observation has found. */
export const readStrays = (conditions: readonly Condition[] | undefined): Strays => {
  const found = findCondition(conditions, TYPE);
  const lines = found?.status === 'True' ? (found.message ?? '').split('\n') : [];
  return {
    members: lines.filter((line) => line.startsWith(MEMBER)),
    nodes: lines.filter((line) => line.startsWith(NODE)),
  };
};

const linesOf = (what: string, names: readonly string[]): string[] => {
  const more = names.length - MOST;
  return [
    ...[...names]
      .sort()
      .slice(0, MOST)
      .map((name) => `${what} ${name} does not have a corresponding Machine`),
    ...(more > 0 ? [`${what}: ${more} more without a corresponding Machine`] : []),
  ];
};

/** The node may belong to a joining machine. */
const nodeLines = ({ machines, nodes }: StrayFacts): string[] => {
  if (machines.some((machine) => !machine.status?.nodeRef && !isDeleting(machine))) return [];
  const own = new Set(machines.map(({ status }) => status?.nodeRef?.name));
  const names = nodes.flatMap(({ metadata: { name = '', labels = {} } = {} }) =>
    CONTROL_PLANE_ROLE in labels && !own.has(name) ? [name] : [],
  );
  return linesOf(NODE, names);
};

const memberLines = ({ machines }: StrayFacts, { members }: EtcdMembership): string[] =>
  linesOf(
    MEMBER,
    strayMembers(members, machines).map(({ id, name }) => name || `${id} (Name not yet assigned)`),
  );

/**
 * The condition for a control plane with these conditions; none if there is nothing to report and never was (upstream's
 * compareMachinesAndMembers and UpdateStaticPodConditions, controlplane/kubeadm/pkg/workload_cluster_conditions.go).
 */
export const strayClaims = (conditions: readonly Condition[] | undefined, facts: StrayFacts): ConditionClaim[] => {
  const members = facts.etcd ? memberLines(facts, facts.etcd) : readStrays(conditions).members;
  const lines = [...members, ...nodeLines(facts)];
  if (lines.length > 0) return [{ type: TYPE, status: 'True', reason: 'Found', message: lines.join('\n') }];
  return findCondition(conditions, TYPE) ? [{ type: TYPE, status: 'False', reason: 'NotFound' }] : [];
};
