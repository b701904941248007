import { createHash } from 'node:crypto';
import { formatTime, keyOf } from '../../../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { MIRROR_POD } from '../../../../../shared/plan/drain/names.ts';
import { pod } from '../kinds.ts';
import type { Node, Pod } from '../objects.ts';
import { controllerUid } from '../workloads.ts';
import { fits } from './placement.ts';
import type { Workloads } from './workloads.ts';

/** The kubelet's own limit. */
const MOST_PODS = 110;

const isNodeReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

const waiting = (current: Pod, now: Date): Pod => {
  const before = current.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const condition = {
    type: 'PodScheduled',
    status: 'False' as const,
    reason: 'Unschedulable',
    message: 'no node is available: taints, node selectors or the number of pods are in the way',
    lastTransitionTime: before?.lastTransitionTime ?? formatTime(now),
  };
  return { ...current, status: { ...current.status, phase: 'Pending', conditions: [condition] } };
};

/** The node with the fewest pods of the same controller, and among these, with the fewest pods in total. */
const nodeFor = (one: Pod, { nodes }: Workloads, pods: readonly Pod[]): string | undefined => {
  const count = (name: string, test: (other: Pod) => boolean): number =>
    pods.filter((other) => other.spec?.nodeName === name && test(other)).length;
  const isSibling = (other: Pod): boolean =>
    controllerUid(other) !== undefined && controllerUid(other) === controllerUid(one);
  return nodes
    .filter((node) => fits(one.spec, node))
    .map(({ metadata: { name } }) => ({ name, siblings: count(name, isSibling), all: count(name, () => true) }))
    .filter(({ all }) => all < MOST_PODS)
    .sort((a, b) => a.siblings - b.siblings || a.all - b.all || (a.name < b.name ? -1 : 1))[0]?.name;
};

/** One run of the scheduler: binds pods to nodes, or reports on them that there is no suitable node. */
export const schedulePods = async (objects: ObjectClient, workloads: Workloads, now: Date): Promise<void> => {
  const placed = [...workloads.pods];
  for (const one of workloads.pods.filter(({ metadata, spec }) => !spec?.nodeName && !metadata.deletionTimestamp)) {
    const nodeName = nodeFor(one, workloads, placed);
    if (nodeName) placed.push({ ...one, spec: { ...one.spec, nodeName } });
    await objects.mutate<Pod>(pod, keyOf(one), (current) =>
      nodeName ? { ...current, spec: { ...current.spec, nodeName } } : waiting(current, now),
    );
  }
};

/** An address in a range that no machine uses, always the same for the same pod. */
const podIp = ({ metadata }: Pod): string => {
  const [a = 0, b = 0] = createHash('sha256')
    .update(metadata.uid ?? '')
    .digest();
  return `10.244.${a}.${(b % 254) + 1}`;
};

const CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

const running = (current: Pod, node: Node, now: Date): Pod => {
  const time = formatTime(now);
  const hostIP = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
  const containers = current.spec?.containers ?? [];
  return {
    ...current,
    status: {
      ...current.status,
      phase: 'Running',
      hostIP,
      podIP: current.spec?.hostNetwork === true ? hostIP : podIp(current),
      startTime: time,
      conditions: CONDITIONS.map((type) => ({ type, status: 'True', lastTransitionTime: time })),
      containerStatuses: containers.map(({ name, image }) => ({
        name,
        image,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: time } },
      })),
    },
  };
};

/**
 * One run of all kubelets for the pods that are bound to their nodes: new pods run and are ready immediately, and
 * deleted ones end immediately. A silent kubelet does neither. Static pods belong to the machines.
 */
export const runPods = async (objects: ObjectClient, { nodes, pods }: Workloads, now: Date): Promise<void> => {
  const alive = new Map(nodes.filter(isNodeReady).map((node) => [node.metadata.name, node]));
  for (const one of pods) {
    const node = alive.get(one.spec?.nodeName ?? '');
    if (!node) continue;
    if (one.metadata.deletionTimestamp) {
      if (one.metadata.deletionGracePeriodSeconds !== 0) await objects.delete(pod, keyOf(one), { graceSeconds: 0 });
    } else if ((one.status?.phase ?? 'Pending') === 'Pending' && !(MIRROR_POD in (one.metadata.annotations ?? {}))) {
      await objects.mutate<Pod>(pod, keyOf(one), (current) => running(current, node, now));
    }
  }
};
