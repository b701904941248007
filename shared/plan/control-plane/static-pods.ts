import type { V1Node } from '@kubernetes/client-node';
import type { ConditionClaim } from '../status/conditions.ts';
import { memberProblem } from './etcd-members.ts';
import type { EtcdMembership } from './etcd-view.ts';
import type { SystemPod } from './system-pod.ts';
import { MEMBER } from './target-health.ts';

/** The static pods of a control plane node, by their conditions. */
export const COMPONENTS = [
  { component: 'kube-apiserver', type: 'APIServerPodHealthy' },
  { component: 'kube-controller-manager', type: 'ControllerManagerPodHealthy' },
  { component: 'kube-scheduler', type: 'SchedulerPodHealthy' },
  { component: 'etcd', type: 'EtcdPodHealthy' },
] as const;

/** A condition without its type. */
type Judgement = Omit<ConditionClaim, 'type'>;

const unknown = (message: string): Judgement => ({ status: 'Unknown', reason: 'InspectionFailed', message });
const failed = (message: string): Judgement => ({ status: 'False', reason: 'Failed', message });
const provisioning = (message?: string): Judgement => ({
  status: 'False',
  reason: 'Provisioning',
  ...(message === undefined ? {} : { message }),
});

const isTrue = ({ status }: SystemPod, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;

const judgePending = (pod: SystemPod): Judgement => {
  if (!isTrue(pod, 'PodScheduled')) return provisioning('Waiting to be scheduled');
  return provisioning(isTrue(pod, 'Initialized') ? undefined : 'Running init containers');
};

/** A container that has failed is restarted, and waits in the meantime. */
const judgeRunning = (pod: SystemPod): Judgement => {
  if (isTrue(pod, 'Ready')) return { status: 'True', reason: 'Running' };
  const containers = pod.status?.containerStatuses ?? [];
  const waiting = containers.flatMap(({ state }) => state?.waiting?.reason ?? []);
  if (waiting.length > 0) {
    const hasFailed = containers.some(({ lastState }) => (lastState?.terminated?.exitCode ?? 0) !== 0);
    return hasFailed ? failed(waiting.join(', ')) : provisioning(waiting.join(', '));
  }
  const ended = containers.flatMap(({ state }) => state?.terminated?.reason ?? []);
  return ended.length > 0 ? failed(ended.join(', ')) : provisioning('Waiting for startup or readiness probes');
};

/** Like upstream's updateStaticPodCondition (controlplane/kubeadm/pkg/workload_cluster_conditions.go). */
const judgePod = (pod: SystemPod | undefined): Judgement => {
  if (!pod) return { status: 'False', reason: 'DoesNotExist', message: 'Pod does not exist' };
  switch (pod.status?.phase) {
    case 'Running':
      return judgeRunning(pod);
    case 'Failed':
    case 'Succeeded':
      return failed('All the containers have been terminated');
    case 'Unknown':
      return unknown('Pod is reporting Unknown status');
    default:
      return judgePending(pod);
  }
};

/** Why the state of a node's pods is unknown; undefined if its kubelet reports. */
export const whyUnreachable = ({ metadata, spec }: V1Node): string | undefined =>
  spec?.taints?.some(({ key, effect }) => key === 'node.kubernetes.io/unreachable' && effect === 'NoExecute')
    ? `Node ${metadata?.name} is unreachable`
    : undefined;

/** If the kubelet does not report, the status of the pods is not updated. */
const whyStale = (node: V1Node): string | undefined => {
  const isUnknown = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown');
  return whyUnreachable(node) ?? (isUnknown ? 'Node Ready condition is Unknown, Pod data might be stale' : undefined);
};

/** The health of a member, only from what etcd reports. */
const judgeByEtcd = (problem: string | undefined): Judgement =>
  problem ? { status: 'False', reason: 'NotHealthy', message: problem } : { status: 'True', reason: 'Healthy' };

/** The condition of a node's member, only from what etcd reports. */
export const memberClaim = (node: string, etcd: EtcdMembership): ConditionClaim => ({
  type: MEMBER,
  ...judgeByEtcd(memberProblem(node, etcd)),
});

/**
 * The member's health by its pod: kubeadm's readiness probe of etcd is a linearizable read through this member, so if
 * the pod is ready, the member is part of a quorum. What etcd reports can only make the result worse (upstream's
 * updateManagedEtcdConditions): a member with an alarm still answers reads, and a learner is not part of the quorum.
 */
const judgeMember = (etcd: Judgement, problem: string | undefined): Judgement => {
  if (etcd.status === 'Unknown') return etcd;
  if (etcd.status === 'False') return { ...etcd, reason: 'NotHealthy' };
  return judgeByEtcd(problem);
};

/** The conditions of the control plane pods on a node, and of its etcd member. `etcd`: undefined if it was not queried. */
export const podHealth = (node: V1Node, pods: readonly SystemPod[], etcd?: EtcdMembership): ConditionClaim[] => {
  const name = node.metadata?.name ?? '';
  const stale = whyStale(node);
  const judge = (component: string): Judgement =>
    stale === undefined
      ? judgePod(pods.find(({ metadata }) => metadata?.name === `${component}-${name}`))
      : unknown(stale);
  const problem = etcd && memberProblem(name, etcd);
  return [
    ...COMPONENTS.map(({ component, type }) => ({ type, ...judge(component) })),
    { type: MEMBER, ...judgeMember(judge('etcd'), problem) },
  ];
};
