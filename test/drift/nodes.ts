/** The API of the world's workload cluster, with the parts for nodes. */

import type { V1Node, V1Pod } from '@kubernetes/client-node';
import type { Etcd } from '../../infra/local/machines/workload-cluster/etcd.ts';
import { runEtcdctl } from '../../infra/local/machines/workload-cluster/etcdctl.ts';
import { toKubeconfigSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { type KubeadmControlPlane, kinds, type Secret } from '../../shared/kinds/index.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import type { NodePatch } from '../../shared/plan/machines/node-patch.ts';
import { ENOUGH } from '../../shared/plan/machines/test-node.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { KEY, NAMESPACE, type World } from '../cluster-infrastructure/world.ts';

/** The machine whose node is changed, and a label that its node gets. */
export const LABELLED = 'red-control-plane-2';
export const POOL = { 'node.cluster.x-k8s.io/pool': 'first' };

/** Nodes by name. */
export class Nodes extends Map<string, V1Node> {
  /** The pods of the control plane. */
  pods: V1Pod[] = [];
  /** The etcd in these pods; undefined if no command can be executed in them. */
  etcd: Etcd | undefined;
}

const merged = (values: Record<string, string> | undefined, changes: Record<string, string | null> = {}) =>
  Object.fromEntries(
    Object.entries({ ...values, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

const patched = (node: V1Node, { labels, annotations }: NodePatch): V1Node => ({
  ...node,
  metadata: {
    ...node.metadata,
    labels: merged(node.metadata?.labels, labels),
    annotations: merged(node.metadata?.annotations, annotations),
  },
});

/** Responds from `nodes`; methods that are not called here are omitted. */
export const clientOf = (nodes: Nodes): WorkloadClient =>
  ({
    nodes: async () => [...nodes.values()],
    controlPlanePods: async () => nodes.pods,
    hasSystemObject: async () => true,
    systemConfigMap: async () => ({}),
    bootstrapTokens: async () => [],
    cloudController: async () => 'DaemonSet kube-system/aws-cloud-controller-manager',
    execute: async ({ pod, command }) => {
      if (!nodes.etcd) throw new WorkloadUnreachableError(`pod ${pod}: HTTP 403`);
      return runEtcdctl(nodes.etcd, pod.replace(/^etcd-/, ''), command.slice(1));
    },
    patchNode: async (name, patch) => {
      const node = nodes.get(name);
      if (node) nodes.set(name, patched(node, patch));
    },
    close: async () => {},
  }) as Partial<WorkloadClient> as WorkloadClient;

/** Adds nodes for the machines of the world, and the other objects that a pass needs to check them. */
export const addNodes = async ({ objects }: World): Promise<Nodes> => {
  const group = (name: string) => ({ apiGroup: `${name}.cluster.x-k8s.io` });
  await objects.ensure(kinds.kubeadmControlPlane, {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { ...KEY, labels: { [LABEL.clusterName]: KEY.name } },
    spec: {
      replicas: 1,
      version: 'v1.34.0',
      machineTemplate: {
        spec: { infrastructureRef: { ...group('infrastructure'), kind: 'AWSMachineTemplate', name: 'workers' } },
      },
    },
  } as KubeadmControlPlane);
  await objects.mutate(kinds.cluster, KEY, (cluster) => ({
    ...cluster,
    spec: {
      ...cluster.spec,
      controlPlaneRef: { ...group('controlplane'), kind: 'KubeadmControlPlane', name: KEY.name },
    },
  }));
  await objects.ensure(kinds.secret, toKubeconfigSecret(KEY.name, NAMESPACE, 'a kubeconfig') as Secret);
  await objects.mutate(kinds.machine, { namespace: NAMESPACE, name: LABELLED }, (machine) => ({
    ...machine,
    metadata: { ...machine.metadata, labels: { ...machine.metadata.labels, ...POOL } },
  }));
  const machines = await objects.list(kinds.machine, NAMESPACE);
  return new Nodes(
    machines.map(({ metadata: { name }, spec: { providerID } }) => [
      name,
      {
        metadata: { name, labels: {}, annotations: {} },
        spec: { providerID },
        status: { conditions: [{ type: 'Ready', status: 'True' }, ...ENOUGH] },
      },
    ]),
  );
};
