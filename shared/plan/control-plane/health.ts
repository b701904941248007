import type { V1Node, V1Pod } from '@kubernetes/client-node';
import type { ConditionClaim } from '../status/conditions.ts';
import { CONTROL_PLANE_ROLE, DEFAULT_TAINT, type HealthFacts, lacksDefaultTaint } from './default-taint.ts';

/** The static pods that make a control plane node, by the condition that each stands for. */
const COMPONENTS = [
  { component: 'kube-apiserver', type: 'APIServerPodHealthy' },
  { component: 'kube-controller-manager', type: 'ControllerManagerPodHealthy' },
  { component: 'kube-scheduler', type: 'SchedulerPodHealthy' },
  { component: 'etcd', type: 'EtcdPodHealthy' },
] as const;

/** The conditions of the components other than etcd. */
export const POD_CONDITIONS = ['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy'] as const;

/** The condition of the label and the taint that kubeadm gives to control plane nodes. */
export const LABELS_CONDITION = 'NodeKubeadmLabelsAndTaintsSet';

const isReady = (pod: V1Pod): boolean =>
  pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;

/** One pod condition, with upstream's reasons (Running, Provisioning, DoesNotExist, Failed). */
const podClaim = (type: string, component: string, name: string, pod: V1Pod | undefined): ConditionClaim => {
  if (!pod) return { type, status: 'False', reason: 'DoesNotExist', message: `Pod ${name} does not exist` };
  if (pod.metadata?.deletionTimestamp)
    return { type, status: 'False', reason: 'Deleting', message: 'Pod is being deleted' };
  const phase = pod.status?.phase;
  if (phase === 'Running' && isReady(pod)) return { type, status: 'True', reason: 'Running' };
  if (phase === 'Failed' || phase === 'Succeeded') {
    return {
      type,
      status: 'False',
      reason: 'Failed',
      message: `All the containers of ${component} have been terminated`,
    };
  }
  return { type, status: 'False', reason: 'Provisioning', message: `Waiting for ${component} to be running and ready` };
};

/**
 * The member's health by its pod: kubeadm's readiness probe of etcd is a linearizable read through this member, so a
 * ready pod is a member that is part of a quorum.
 */
const memberClaim = (etcd: ConditionClaim): ConditionClaim =>
  etcd.status === 'True'
    ? { type: 'EtcdMemberHealthy', status: 'True', reason: 'Healthy' }
    : { type: 'EtcdMemberHealthy', status: 'False', reason: 'NotHealthy', message: etcd.message };

/** As upstream's updateNodeCondition (controlplane/kubeadm/pkg/workload_cluster_conditions.go). */
const labelsClaim = (node: V1Node, facts: HealthFacts): ConditionClaim => {
  const type = LABELS_CONDITION;
  const missing = [
    ...(CONTROL_PLANE_ROLE in (node.metadata?.labels ?? {}) ? [] : [`the ${CONTROL_PLANE_ROLE} label`]),
    ...(lacksDefaultTaint(node, facts) ? [`the ${DEFAULT_TAINT} taint`] : []),
  ];
  if (missing.length === 0) return { type, status: 'True', reason: 'Set' };
  const message = `Node ${node.metadata?.name} does not have ${missing.join(' and ')}`;
  return { type, status: 'False', reason: 'NotSet', message };
};

/** The conditions of the control plane pods on a node, and of its etcd member. */
export const podHealth = (node: V1Node, pods: readonly V1Pod[]): ConditionClaim[] => {
  const nodeName = node.metadata?.name ?? '';
  const claims = COMPONENTS.map(({ component, type }) => {
    const name = `${component}-${nodeName}`;
    return podClaim(
      type,
      component,
      name,
      pods.find((pod) => pod.metadata?.name === name),
    );
  });
  const etcd = claims.find(({ type }) => type === 'EtcdPodHealthy');
  return [...claims, ...(etcd ? [memberClaim(etcd)] : [])];
};

/** The health conditions of one control plane machine of kubeadm. */
export const controlPlaneHealth = (node: V1Node, pods: readonly V1Pod[], facts: HealthFacts): ConditionClaim[] => [
  ...podHealth(node, pods),
  labelsClaim(node, facts),
];

/** The same conditions, and `more`, when the workload cluster cannot be reached: nothing is known. */
export const unknownConditions = (more: readonly string[], why: string): ConditionClaim[] =>
  [...COMPONENTS.map(({ type }) => type), 'EtcdMemberHealthy', ...more].map((type) => ({
    type,
    status: 'Unknown',
    reason: 'ConnectionDown',
    message: `Remote connection not established: ${why}`,
  }));

export const unknownHealth = (why: string): ConditionClaim[] => unknownConditions([LABELS_CONDITION], why);
