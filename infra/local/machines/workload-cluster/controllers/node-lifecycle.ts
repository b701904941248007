import { formatTime } from '../../../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { lease, node, pod } from '../kinds.ts';
import type { HeartbeatCondition, Lease, Node, NodeTaint, Pod } from '../objects.ts';

/** `--node-monitor-grace-period` before Kubernetes 1.32, which increased it to 50 s. */
const NODE_GRACE_MILLISECONDS = 40_000;

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const NETWORK_UNAVAILABLE = 'node.kubernetes.io/network-unavailable';
const EFFECTS = ['NoSchedule', 'NoExecute'];

/** Reported by a cloud's route controller or a CNI plugin, and not by the kubelet. */
const NETWORK = 'NetworkUnavailable';

const readyOf = ({ status }: Node): HeartbeatCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

/** The newest heartbeat, in milliseconds; for a node without a lease, the time of its creation. */
const lastSeen = (current: Node, heartbeat: Lease | undefined): number =>
  Math.max(
    Date.parse(heartbeat?.spec?.renewTime ?? '') || 0,
    Date.parse(readyOf(current)?.lastHeartbeatTime ?? '') || 0,
    Date.parse(current.metadata.creationTimestamp ?? '') || 0,
  );

const unknown = (condition: HeartbeatCondition, time: string): HeartbeatCondition =>
  condition.status === 'Unknown' || condition.type === NETWORK
    ? condition
    : {
        ...condition,
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime: time,
      };

const statusOf = ({ status }: Node, wanted: string): string | undefined =>
  status?.conditions?.find(({ type }) => type === wanted)?.status;

const wantedTaints = (current: Node, time: string): NodeTaint[] => {
  const ready = statusOf(current, 'Ready');
  const key = ready === 'Unknown' ? UNREACHABLE : NOT_READY;
  const isCutOff = statusOf(current, NETWORK) === 'True';
  return [
    ...(ready === 'True' ? [] : EFFECTS.map((effect) => ({ key, effect, timeAdded: time }))),
    ...(isCutOff ? [{ key: NETWORK_UNAVAILABLE, effect: 'NoSchedule', timeAdded: time }] : []),
  ];
};

const withTaints = (current: Node, time: string): Node => {
  const present = current.spec?.taints ?? [];
  const isOurs = ({ key }: NodeTaint): boolean => [NOT_READY, UNREACHABLE, NETWORK_UNAVAILABLE].includes(key);
  const wanted = wantedTaints(current, time).map(
    (taint) => present.find(({ key, effect }) => key === taint.key && effect === taint.effect) ?? taint,
  );
  const ours = present.filter(isOurs);
  if (ours.length === wanted.length && ours.every((taint) => wanted.includes(taint))) return current;
  return { ...current, spec: { ...current.spec, taints: [...present.filter((taint) => !isOurs(taint)), ...wanted] } };
};

/**
 * The node lifecycle controller's assessment of a node: after the grace period without a heartbeat, the conditions of
 * its kubelet become Unknown. A node that is not Ready or has no network gets taints, which are removed when it
 * recovers. Returns the same object if nothing changes.
 */
export const assessNode = (current: Node, heartbeat: Lease | undefined, now: Date): Node => {
  const time = formatTime(now);
  const isSilent = now.getTime() - lastSeen(current, heartbeat) > NODE_GRACE_MILLISECONDS;
  const conditions = current.status?.conditions ?? [];
  const assessed = isSilent ? conditions.map((condition) => unknown(condition, time)) : conditions;
  const isChanged = assessed.some((condition, index) => condition !== conditions[index]);
  return withTaints(isChanged ? { ...current, status: { ...current.status, conditions: assessed } } : current, time);
};

/** The pods of a node that is not Ready are not Ready either. */
const notReadyPod = (current: Pod, time: string): Pod | undefined => {
  const ready = current.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  const conditions = (current.status?.conditions ?? []).map((condition) =>
    condition === ready ? { ...condition, status: 'False' as const, lastTransitionTime: time } : condition,
  );
  return { ...current, status: { ...current.status, conditions } };
};

/**
 * One run of the node lifecycle controller for all nodes, and of the pod garbage collector for pods whose node no
 * longer exists.
 */
export const reconcileNodes = async (objects: ObjectClient, now: Date): Promise<void> => {
  const [nodes, leases, pods] = await Promise.all([
    objects.list<Node>(node),
    objects.list<Lease>(lease, 'kube-node-lease'),
    objects.list<Pod>(pod),
  ]);
  const heartbeats = new Map(leases.map((one) => [one.metadata.name, one]));
  const assess = (current: Node): Node | undefined => {
    const assessed = assessNode(current, heartbeats.get(current.metadata.name), now);
    return assessed === current ? undefined : assessed;
  };
  for (const { metadata } of nodes.filter((one) => assess(one) !== undefined)) {
    await objects.mutate<Node>(node, { namespace: '', name: metadata.name }, assess);
  }
  const unready = new Set(
    nodes.filter((one) => readyOf(one)?.status === 'Unknown').map(({ metadata }) => metadata.name),
  );
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const time = formatTime(now);
  for (const one of pods) {
    const key = { namespace: one.metadata.namespace ?? '', name: one.metadata.name };
    const nodeName = one.spec?.nodeName ?? '';
    if (nodeName && !names.has(nodeName)) await objects.delete(pod, key, { graceSeconds: 0 });
    else if (unready.has(nodeName) && notReadyPod(one, time)) {
      await objects.mutate<Pod>(pod, key, (current) => notReadyPod(current, time));
    }
  }
};
