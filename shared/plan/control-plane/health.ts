import type { V1Node } from '@kubernetes/client-node';
import type { ConditionClaim } from '../status/conditions.ts';
import { CONTROL_PLANE_ROLE, DEFAULT_TAINT, type HealthFacts, lacksDefaultTaint } from './default-taint.ts';
import type { EtcdMembership } from './etcd-view.ts';
import { COMPONENTS, memberClaim, podHealth, whyUnreachable } from './static-pods.ts';
import type { SystemPod } from './system-pod.ts';
import { MEMBER } from './target-health.ts';

/** The conditions of the components other than etcd. */
export const POD_CONDITIONS = ['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy'] as const;

/** The condition of the label and the taint that kubeadm gives to control plane nodes. */
export const LABELS_CONDITION = 'NodeKubeadmLabelsAndTaintsSet';

/** Like upstream's updateNodeCondition (controlplane/kubeadm/pkg/workload_cluster_conditions.go). */
const labelsClaim = (node: V1Node, facts: HealthFacts): ConditionClaim => {
  const type = LABELS_CONDITION;
  const unreachable = whyUnreachable(node);
  if (unreachable) return { type, status: 'Unknown', reason: 'InspectionFailed', message: unreachable };
  const missing = [
    ...(CONTROL_PLANE_ROLE in (node.metadata?.labels ?? {}) ? [] : [`the ${CONTROL_PLANE_ROLE} label`]),
    ...(lacksDefaultTaint(node, facts) ? [`the ${DEFAULT_TAINT} taint`] : []),
  ];
  if (missing.length === 0) return { type, status: 'True', reason: 'Set' };
  const message = `Node ${node.metadata?.name} does not have ${missing.join(' and ')}`;
  return { type, status: 'False', reason: 'NotSet', message };
};

/** The health conditions of one kubeadm control plane machine. */
export const controlPlaneHealth = (node: V1Node, pods: readonly SystemPod[], facts: HealthFacts): ConditionClaim[] => [
  ...podHealth(node, pods, facts.etcd),
  labelsClaim(node, facts),
];

/** Why nothing is known about a machine's components. */
export type UnknownHealth = Pick<ConditionClaim, 'reason' | 'message'>;

/** `why`: the reason that the workload cluster cannot be reached. */
export const notConnected = (why: string): UnknownHealth => ({
  reason: 'ConnectionDown',
  message: `Remote connection not established: ${why}`,
});

/** The node of a machine was deleted from its cluster, so the state of its pods is no longer reliable. */
export const withoutNode = (node: string): UnknownHealth => ({
  reason: 'InspectionFailed',
  message: `Node ${node} does not exist`,
});

/** The same conditions, and those of `more`, while nothing is known. */
export const unknownConditions = (more: readonly string[], why: UnknownHealth): ConditionClaim[] =>
  [...COMPONENTS.map(({ type }) => type), MEMBER, ...more].map((type) => ({ type, status: 'Unknown', ...why }));

export const unknownHealth = (why: UnknownHealth): ConditionClaim[] => unknownConditions([LABELS_CONDITION], why);

/**
 * The conditions of a machine whose node was deleted: only etcd still reports about its member (upstream's
 * updateControlPlaneComponentsConditions and updateManagedEtcdConditions). `etcd` is undefined if it was not queried.
 */
export const healthWithoutNode = (
  node: string,
  unknown: readonly ConditionClaim[],
  etcd: EtcdMembership | undefined,
): ConditionClaim[] => unknown.map((claim) => (claim.type === MEMBER && etcd ? memberClaim(node, etcd) : claim));
