import type { V1Node } from '@kubernetes/client-node';
import { testCertificates } from '../../../shared/bootstrap/certificates/fixtures.ts';
import { toKubeconfigSecret, toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { KINDS, kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import type { SystemPod } from '../../../shared/plan/control-plane/system-pod.ts';
import type { NodePatch } from '../../../shared/plan/machines/node-patch.ts';
import { ENOUGH } from '../../../shared/plan/machines/test-node.ts';
import { systemRandom } from '../../../shared/random.ts';
import { type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { createWorkStore } from '../../../shared/store/work/work-store.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import {
  type TokenSecret,
  type WorkloadClient,
  type WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import type { DrainApi } from '../../../shared/workload/drain.ts';
import { makeNodeSteps } from './steps.ts';

export const PROVIDER_ID = 'aws:///us-east-1a/i-1';

/** A log that is discarded. */
export const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeNodeSteps>['confirmNode']
>[1];

/** A workload cluster that records what is done to it. */
const makeWorkload = () => {
  const state = {
    reachable: true,
    refuses: undefined as WorkloadRefusedError | undefined,
    nodes: [] as V1Node[],
    pods: [] as SystemPod[],
    tokens: [] as TokenSecret[],
    patches: [] as NodePatch[],
    deleted: [] as string[],
  };
  const ask = async <T>(answer: () => T): Promise<T> => {
    if (state.refuses) throw state.refuses;
    if (!state.reachable) throw new WorkloadUnreachableError('connect ECONNREFUSED');
    return answer();
  };
  const client: WorkloadClient = {
    nodes: () => ask(() => state.nodes),
    controlPlanePods: () => ask(() => state.pods),
    hasSystemObject: () => ask(() => true),
    systemConfigMap: () => ask(() => ({ ClusterConfiguration: 'certificateValidityPeriod: 2160h0m0s' })),
    bootstrapTokens: () => ask(() => []),
    patchNode: (_name, patch) => ask(() => void state.patches.push(patch)),
    setNodeAddresses: () => ask(() => ({})),
    setNodeCondition: () => ask(() => {}),
    cloudController: () => ask(() => undefined),
    execute: () => ask(() => ({ code: 1, stdout: '', stderr: 'no such container' })),
    deleteNode: (name, providerId) =>
      ask(() => {
        const current = state.nodes.find(({ metadata }) => metadata?.name === name)?.spec?.providerID;
        if (!providerId || !current || current === providerId) state.deleted.push(name);
      }),
    bootstrapTokenExpiry: (name) =>
      ask(() => {
        const found = state.tokens.findLast(({ metadata }) => metadata.name === name);
        return found && new Date(Buffer.from(found.data?.expiration ?? '', 'base64').toString());
      }),
    putBootstrapToken: (secret) => ask(() => void state.tokens.push(secret)),
    deleteBootstrapToken: () => ask(() => {}),
    apply: () => ask(() => {}),
    exists: () => ask(() => false),
    read: () => ask(() => undefined),
    create: () => ask(() => []),
    merge: async () => [],
    replace: (object) => ask(() => object),
    drain: {
      node: (name) =>
        ask(() => {
          const { spec } = state.nodes.find(({ metadata }) => metadata?.name === name) ?? {};
          return spec && { name, providerId: spec.providerID, unschedulable: false, unreachable: false, volumes: [] };
        }),
    } as Partial<DrainApi> as DrainApi,
    services: undefined as never,
    close: async () => {},
  };
  return { state, connect: () => client };
};

/** The node of the machine. */
export const node = (ready: 'True' | 'False', providerID = PROVIDER_ID): V1Node => ({
  metadata: { name: 'ip-10-0-0-1' },
  spec: {
    providerID,
    taints: [
      { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
      { key: 'kept', effect: 'NoExecute' },
    ],
  },
  status: { conditions: [{ type: 'Ready', status: ready, message: ready === 'True' ? '' : 'no CNI' }, ...ENOUGH] },
});

const meta = (name: string) => ({ name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });

const { ca } = await testCertificates();

/**
 * A cluster with a machine that waits for its node, and another one of its control plane. With `isStandalone`, the
 * Cluster refers to no control plane.
 */
export const makeWorld = async (database: TestDatabase, { isStandalone = false } = {}) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
  );
  const put = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return (await objects.ensure(resource, object)).object;
  };
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'red' };
  const cluster = await put({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: {
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' },
      ...(isStandalone ? {} : { controlPlaneRef }),
    },
  } as KubeObject);
  await put({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: meta('red'),
    spec: {
      replicas: 1,
      version: 'v1.34.0',
      machineTemplate: {
        spec: {
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' },
        },
      },
    },
  } as KubeObject);
  await put({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: meta('m-1'),
    spec: { instanceType: 't3.large', providerID: PROVIDER_ID, instanceID: 'i-1' },
    status: { ready: true, instanceState: 'running' },
  } as KubeObject);
  const machine = await put({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...meta('m-1'),
      labels: { ...meta('m-1').labels, 'node-role.kubernetes.io/gpu': '' },
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName: 'red',
      version: 'v1.34.0',
      providerID: PROVIDER_ID,
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'm-1' } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm-1' },
    },
    status: { initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true } },
  } as KubeObject);
  await put(toSecret('red', 'default', 'ca', ca));
  await put(toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  await put({
    ...machine,
    spec: { ...(machine as Machine).spec, providerID: 'aws:///us-east-1a/i-0' },
    metadata: { name: 'm-0', namespace: 'default', labels: { 'cluster.x-k8s.io/control-plane': '' } },
  } as Machine);
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const uid = machine.metadata.uid ?? '';
  const input: MachineInput = {
    machine: { namespace: 'default', name: 'm-1', uid, clusterName: 'red', clusterUid: cluster.metadata.uid ?? '' },
    holder: 'holder',
  };
  await work.beginMachine(input.machine, input.holder, 120);
  const workload = makeWorkload();
  const touched: string[] = [];
  const steps = makeNodeSteps({
    objects,
    work,
    clock,
    connect: workload.connect,
    touch: async ({ name }) => void touched.push(name),
    pledges: createMemoryPledges({ clock }),
  });
  const condition = async (type: string) => {
    const current = await objects.get(kinds.machine, input.machine);
    return current?.status?.conditions?.find((found) => found.type === type);
  };
  return { clock, objects, work, steps, input, touched, condition, ...workload };
};

export type NodeWorld = Awaited<ReturnType<typeof makeWorld>>;
