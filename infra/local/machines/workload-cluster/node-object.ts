import { formatTime } from '../../../../shared/kube-api/object.ts';
import type { KubeletOptions } from './kubelet-options.ts';
import type { HeartbeatCondition, Node, Pod } from './objects.ts';

const PRESSURES = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

const CAPACITY = { cpu: '2', memory: '8Gi', 'ephemeral-storage': '8Gi', pods: '110' };

/**
 * The node as kubelet registers it; its status follows. It becomes Ready immediately, because the image includes a CNI.
 */
export const newNode = ({ nodeName, providerId, isCloudExternal, nodeIps, labels, taints }: KubeletOptions): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: nodeName,
    labels: {
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': nodeName,
      'kubernetes.io/os': 'linux',
      ...labels,
    },
    annotations: {
      'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      ...(isCloudExternal && nodeIps.length > 0 ? { 'alpha.kubernetes.io/provided-node-ip': nodeIps.join(',') } : {}),
    },
  },
  spec: { ...(providerId ? { providerID: providerId } : {}), ...(taints.length > 0 ? { taints } : {}) },
});

/**
 * The conditions that kubelet posts. An unchanged condition keeps the time of its last change, and conditions of other
 * programs stay.
 */
const conditionsAt = (time: string, before: readonly HeartbeatCondition[]): HeartbeatCondition[] => {
  const wanted = [
    ...PRESSURES.map(([type, reason, message]) => ({ type, status: 'False' as const, reason, message })),
    { type: 'Ready', status: 'True' as const, reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ];
  const own = wanted.map((condition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return { ...condition, lastHeartbeatTime: time, lastTransitionTime: same?.lastTransitionTime ?? time };
  });
  const others = before.filter(({ type }) => wanted.every((condition) => condition.type !== type));
  return [...others, ...own];
};

/** If no address was given and the external cloud provider must set it, kubelet knows only its host name. */
const ownAddressesOf = ({ nodeIps, instance, isCloudExternal }: KubeletOptions) => {
  if (nodeIps.length > 0) return nodeIps.map((address) => ({ type: 'InternalIP', address }));
  if (isCloudExternal && !instance.providerId) return [];
  const { privateIp, publicIp } = instance;
  const external = publicIp ? [{ type: 'ExternalIP', address: publicIp }] : [];
  return [{ type: 'InternalIP', address: privateIp }, ...external];
};

/** The current status of the node, as kubelet reports it. */
export const nodeStatus = (
  options: KubeletOptions,
  now: Date,
  before: readonly HeartbeatCondition[] = [],
): NonNullable<Node['status']> => ({
  capacity: CAPACITY,
  allocatable: CAPACITY,
  addresses: [...ownAddressesOf(options), { type: 'Hostname', address: options.nodeName }],
  nodeInfo: {
    architecture: 'amd64',
    bootID: options.instance.id,
    containerRuntimeVersion: 'containerd://2.1.4',
    kernelVersion: '6.14.0-1012-aws',
    kubeProxyVersion: '',
    kubeletVersion: options.version,
    machineID: options.instance.id,
    operatingSystem: 'linux',
    osImage: 'Ubuntu 24.04.3 LTS',
    systemUUID: options.instance.id,
  },
  conditions: conditionsAt(formatTime(now), before),
});

/** The components that kubeadm runs as static pods on a control plane node, with their images. */
export const controlPlaneComponents = (repository: string, version: string): { name: string; image: string }[] => [
  { name: 'etcd', image: `${repository}/etcd:3.6.5-0` },
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => ({
    name,
    image: `${repository}/${name}:${version}`,
  })),
];

/** The mirror pod with which kubelet shows a static pod. */
export const mirrorPod = ({ nodeName }: KubeletOptions, component: { name: string; image: string }): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${component.name}-${nodeName}`,
    namespace: 'kube-system',
    labels: { component: component.name, tier: 'control-plane' },
    annotations: { 'kubernetes.io/config.mirror': nodeName, 'kubernetes.io/config.source': 'file' },
  },
  spec: {
    nodeName,
    hostNetwork: true,
    priorityClassName: 'system-node-critical',
    containers: [{ name: component.name, image: component.image }],
  },
});

/** The status of a static pod whose container runs. */
export const runningStatus = (
  { instance }: KubeletOptions,
  component: { name: string; image: string },
  now: Date,
): NonNullable<Pod['status']> => {
  const time = formatTime(now);
  return {
    phase: 'Running',
    hostIP: instance.privateIp,
    podIP: instance.privateIp,
    startTime: time,
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      (type) => ({
        type,
        status: 'True',
        lastTransitionTime: time,
      }),
    ),
    containerStatuses: [
      {
        name: component.name,
        image: component.image,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: time } },
      },
    ],
  };
};
