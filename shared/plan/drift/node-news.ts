/**
 * What the nodes and the control plane pods of a cluster show that its Machines do not report yet. Nothing watches
 * them: the sweep compares them and requests a pass, which updates the Machines.
 */

import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { EtcdMembership } from '../control-plane/etcd-view.ts';
import { podHealth } from '../control-plane/static-pods.ts';
import type { SystemPod } from '../control-plane/system-pod.ts';
import { MEMBER } from '../control-plane/target-health.ts';
import { copiesIn } from '../machines/copies.ts';
import { findNode, nodeClaims } from '../machines/node.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';

/** Only statuses are compared: a text that differs each time would cost a pass each time. */
const isOtherwise = ({ status }: Machine, { type, status: seen }: ConditionClaim): boolean =>
  findCondition(status?.conditions, type)?.status !== seen;

/** Whether a Machine reports another kernel, kubelet or boot of its node. */
const isOtherSystem = ({ status }: Machine, node: V1Node): boolean => {
  const seen: Partial<Record<string, unknown>> = { ...node.status?.nodeInfo };
  return Object.entries(status?.nodeInfo ?? {}).some(
    ([name, value]) => typeof value === 'string' && value !== seen[name],
  );
};

/** The parts of a cluster that were read. */
interface Seen {
  nodes: readonly V1Node[];
  /** The pods of the control plane; undefined if they were not read. */
  pods: readonly SystemPod[] | undefined;
  /** What etcd reports; undefined if it was not queried or did not respond. */
  etcd: EtcdMembership | undefined;
}

const isNews = (machine: Machine, { nodes, pods, etcd }: Seen): boolean => {
  const { metadata, spec, status } = machine;
  const node = metadata.deletionTimestamp ? undefined : findNode(nodes, spec.providerID);
  if (!node) return false;
  if (!status?.nodeRef || isOtherSystem(machine, node)) return true;
  if (nodeClaims({ seen: 'node', node }, machine).some((claim) => isOtherwise(machine, claim))) return true;
  // A pass evaluates neither the pods of workers nor those of a control plane that another provider manages.
  const wasEvaluated = ({ type }: ConditionClaim): boolean => findCondition(status.conditions, type) !== undefined;
  // Without etcd, the pod alone does not show what a pass finds.
  const isKnown = ({ type }: ConditionClaim): boolean => etcd !== undefined || type !== MEMBER;
  const claims = pods ? podHealth(node, pods, etcd).filter(wasEvaluated).filter(isKnown) : [];
  return claims.some((claim) => isOtherwise(machine, claim));
};

/**
 * Whether a node of these machines exists that none of them reports, has become ready or is no longer ready, or runs
 * another system, or whether a control plane pod or a member of etcd has another state. Deleted nodes, and nodes with
 * other labels or taints, are drift (`planNodeDrift`).
 */
export const hasNodeNews = (machines: readonly Machine[], seen: Seen): boolean => {
  const copies = copiesIn(machines);
  return machines.some((machine) => !copies.has(machine.metadata.uid ?? '') && isNews(machine, seen));
};
