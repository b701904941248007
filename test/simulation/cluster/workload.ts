import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { bootEtcd, type Etcd, type MemberHost } from '../../../infra/local/machines/workload-cluster/etcd.ts';
import { runEtcdctl } from '../../../infra/local/machines/workload-cluster/etcdctl.ts';
import { parseVersion } from '../../../shared/kinds/rules/bootstrap/version.ts';
import type { NodePatch } from '../../../shared/plan/machines/node-patch.ts';
import { ENOUGH } from '../../../shared/plan/machines/test-node.ts';
import { type AnyObject, type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';

/** A node of the workload cluster. */
export interface SimulatedNode {
  name: string;
  providerID: string;
  controlPlane: boolean;
  /** The version of its kubelet. */
  version: string;
  /** Whether its kubelet responds. */
  alive: boolean;
  /** The version of its static pods. A joining machine uses the configuration that it finds in the cluster. */
  components: string;
  /** When `alive` last changed. */
  since: Date;
  /** Metadata and taints that controllers have written. */
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  taints?: NonNullable<NodePatch['taints']>;
}

/** The workload cluster as controllers see it: nodes, static pods, and etcd. */
export interface Workload {
  nodes: Map<string, SimulatedNode>;
  etcd: Etcd | undefined;
  /** The objects that controllers store in it, by kind and name. */
  objects: Map<string, AnyObject>;
  /** Whether its API is unreachable although it is running. */
  outage: boolean;
  /** Control plane nodes that were alive when another cluster was created beside theirs. */
  abandoned: string[];
}

export const newWorkload = (): Workload => ({
  nodes: new Map(),
  etcd: undefined,
  objects: new Map(),
  outage: false,
  abandoned: [],
});

const idOf = ({ kind, metadata }: AnyObject): string => `${kind}/${metadata.name}`;

/** Stores the configuration that `kubeadm init` uploads. */
const uploadConfiguration = ({ objects }: Workload, version: string): void => {
  const text = `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: ${version}\n`;
  const object: AnyObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kubeadm-config', namespace: 'kube-system', resourceVersion: '1' },
    data: { ClusterConfiguration: text },
  };
  objects.set(idOf(object), object);
};

/** The version in the configuration that joining machines use. */
export const configuredVersion = ({ objects }: Workload): string => {
  const data = objects.get('ConfigMap/kubeadm-config')?.data as Record<string, string> | undefined;
  return /kubernetesVersion: (\S+)/.exec(data?.ClusterConfiguration ?? '')?.[1] ?? '';
};

/**
 * Whether kubeadm with this version joins a cluster with this configuration, which may be at most one minor older.
 * kubeadm accepts a newer configuration with a warning.
 */
export const takesVersion = (workload: Workload, version: string): boolean => {
  const stored = parseVersion(configuredVersion(workload));
  const own = parseVersion(version);
  return stored !== undefined && own !== undefined && own.minor - stored.minor <= 1;
};

/** Whether the API server can respond. */
export const isServing = ({ etcd }: Workload): boolean => etcd?.hasQuorum() === true;

/** If any member has an alarm, etcd refuses all writes. */
export const takesWrites = ({ etcd }: Workload): boolean => !etcd?.members().some(({ isFull }) => isFull);

/** Does the same as `kubeadm init`: creates a new cluster that contains nothing from an earlier one. */
export const startCluster = (workload: Workload, node: string, host: MemberHost, version: string): void => {
  workload.abandoned.push(...(workload.etcd?.members().filter(({ alive }) => alive) ?? []).map(({ name }) => name));
  workload.nodes.clear();
  workload.objects.clear();
  workload.etcd = bootEtcd(node, host);
  uploadConfiguration(workload, version);
};

/** Adds the machine's member to etcd. Throws EtcdError if etcd does not accept it. */
export const joinEtcd = ({ etcd }: Workload, node: string, host: MemberHost): void => {
  etcd?.addLearner(node, host);
  etcd?.promote(node);
};

const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

const podsOf = ({ name, alive, since }: SimulatedNode): V1Pod[] =>
  COMPONENTS.map((component) => ({
    metadata: { name: `${component}-${name}`, namespace: 'kube-system', labels: { component, tier: 'control-plane' } },
    spec: { nodeName: name, containers: [] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: alive ? 'True' : 'False', lastTransitionTime: since }],
    },
  }));

/** kubeadm adds this taint to control plane nodes. */
const ROLE = 'node-role.kubernetes.io/control-plane';
const TAINTS = [{ key: ROLE, effect: 'NoSchedule' }];

const nodeOf = ({ name, providerID, controlPlane, alive, version, since, ...written }: SimulatedNode): V1Node => ({
  metadata: {
    name,
    uid: `node-${name}`,
    labels: { ...(controlPlane ? { [ROLE]: '' } : {}), ...written.labels },
    annotations: written.annotations ?? {},
  },
  spec: { providerID, taints: written.taints ?? (controlPlane ? TAINTS : []) },
  status: {
    nodeInfo: { kubeletVersion: version } as never,
    conditions: [
      {
        type: 'Ready',
        status: alive ? 'True' : 'Unknown',
        reason: alive ? 'KubeletReady' : 'NodeStatusUnknown',
        lastTransitionTime: since,
      },
      ...ENOUGH,
    ],
  },
});

const merged = (before: Record<string, string> | undefined, change: Record<string, string | null> | undefined) =>
  Object.fromEntries(
    Object.entries({ ...before, ...change }).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );

const patched = (node: SimulatedNode, { providerID, labels, annotations, taints }: NodePatch): SimulatedNode => ({
  ...node,
  ...(providerID ? { providerID } : {}),
  labels: merged(node.labels, labels),
  annotations: merged(node.annotations, annotations),
  ...(taints ? { taints } : {}),
});

const unreachable = () => new WorkloadUnreachableError('connection timed out');

const answersOf = (workload: Workload): Partial<WorkloadClient> => {
  const all = () => [...workload.nodes.values()];
  return {
    nodes: async () => all().map(nodeOf),
    controlPlanePods: async () => all().flatMap((node) => (node.controlPlane ? podsOf(node) : [])),
    hasSystemObject: async () => true,
    systemConfigMap: async () => undefined,
    read: async (object) => workload.objects.get(idOf(object)),
    create: async (object) => {
      if (!workload.objects.has(idOf(object))) workload.objects.set(idOf(object), object);
      return [];
    },
    replace: async (object) => {
      workload.objects.set(idOf(object), object);
      return object;
    },
    bootstrapTokens: async () => [],
    execute: async ({ pod, command }) => {
      const node = workload.nodes.get(pod.replace(/^etcd-/, ''));
      if (!node?.alive || !workload.etcd) throw unreachable();
      return runEtcdctl(workload.etcd, node.name, command.slice(1));
    },
    patchNode: async (name, patch) => {
      const node = workload.nodes.get(name);
      if (node) workload.nodes.set(name, patched(node, patch));
    },
    deleteNode: async (name) => void workload.nodes.delete(name),
    cloudController: async () => undefined,
  };
};

/** A client of the workload cluster. Calls that the simulation does not support throw an Error that names them. */
export const connectTo = (workload: Workload): WorkloadClient => {
  const answers = answersOf(workload) as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return new Proxy({} as WorkloadClient, {
    get: (_target, method: string) => {
      if (method === 'close') return async () => {};
      const answer = answers[method];
      if (!answer) throw new Error(`the simulated workload cluster does not know ${method}`);
      return async (...args: unknown[]) => {
        if (workload.outage || !isServing(workload)) throw unreachable();
        return answer(...args);
      };
    },
  });
};
