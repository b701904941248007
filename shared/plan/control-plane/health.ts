import type { V1Node, V1Pod } from '@kubernetes/client-node';
import type { ConditionClaim } from '../status/conditions.ts';
import { CONTROL_PLANE_ROLE, DEFAULT_TAINT, type HealthFacts, lacksDefaultTaint } from './default-taint.ts';
import { COMPONENTS, podHealth, whyUnreachable } from './static-pods.ts';
import { MEMBER } from './target-health.ts';

/** The conditions of the components other than etcd. */
export const POD_CONDITIONS = ['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy'] as const;

/** The condition of the label and the taint that kubeadm gives to control plane nodes. */
export const LABELS_CONDITION = 'NodeKubeadmLabelsAndTaintsSet';

/** As upstream's updateNodeCondition (controlplane/kubeadm/pkg/workload_cluster_conditions.go). */
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

/** The health conditions of one control plane machine of kubeadm. */
export const controlPlaneHealth = (node: V1Node, pods: readonly V1Pod[], facts: HealthFacts): ConditionClaim[] => [
  ...podHealth(node, pods, facts.etcd),
  labelsClaim(node, facts),
];

/** The same conditions, and `more`, when the workload cluster cannot be reached: nothing is known. */
export const unknownConditions = (more: readonly string[], why: string): ConditionClaim[] =>
  [...COMPONENTS.map(({ type }) => type), MEMBER, ...more].map((type) => ({
    type,
    status: 'Unknown',
    reason: 'ConnectionDown',
    message: `Remote connection not established: ${why}`,
  }));

export const unknownHealth = (why: string): ConditionClaim[] => unknownConditions([LABELS_CONDITION], why);
