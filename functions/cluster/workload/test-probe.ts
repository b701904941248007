import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../../shared/log.ts';
import type { NodePatch } from '../../../shared/plan/machines/node-patch.ts';
import { ENOUGH } from '../../../shared/plan/machines/test-node.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import { controllerScopeOf } from '../../providers/aws/aws-scope.ts';
import { makeWorkloadPort } from '../../providers/aws/workload-port.ts';
import { probe } from './probe.ts';
import { answerEtcdctl, type TestMember } from './test-etcd.ts';

/** For tests: a cluster with one control plane machine, and a workload API server whose answers the test sets. */
export const KEY = { namespace: 'default', name: 'red' };
const PROVIDER_ID = 'aws:///us-east-1a/i-1';
export const labels = { 'cluster.x-k8s.io/cluster-name': 'red' };

export const readyNode: V1Node = {
  metadata: { name: 'n-1', labels: { 'node-role.kubernetes.io/control-plane': '' } },
  spec: { providerID: PROVIDER_ID },
  status: { conditions: [{ type: 'Ready', status: 'True' }, ...ENOUGH] },
};
export const pod = (component: string, ready: 'True' | 'False' = 'True'): V1Pod => ({
  metadata: { name: `${component}-n-1` },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
});
export const PODS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

/** `status` is that of the machine; `spec` is that of the Cluster, and replaces its reference to the control plane. */
export const world = async (status: object = {}, spec?: object) => {
  const clock = testClock();
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
  );
  const put = async (object: object) => {
    const resource = KINDS.find(({ kind }) => kind === (object as KubeObject).kind);
    if (!resource) throw new Error('no such kind');
    return (await objects.ensure(resource, object as KubeObject)).object;
  };
  const group = (name: string) => ({ apiGroup: `${name}.cluster.x-k8s.io` });
  const cluster = await put({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: KEY,
    spec: spec ?? { controlPlaneRef: { ...group('controlplane'), kind: 'KubeadmControlPlane', name: 'red' } },
  });
  await put({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { ...KEY, labels },
    spec: {
      replicas: 1,
      version: 'v1.34.0',
      machineTemplate: {
        spec: { infrastructureRef: { ...group('infrastructure'), kind: 'AWSMachineTemplate', name: 't' } },
      },
    },
  });
  await put({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm-1', namespace: 'default', labels: { ...labels, 'cluster.x-k8s.io/control-plane': '' } },
    spec: {
      clusterName: 'red',
      providerID: PROVIDER_ID,
      bootstrap: { configRef: { ...group('bootstrap'), kind: 'KubeadmConfig', name: 'm-1' } },
      infrastructureRef: { ...group('infrastructure'), kind: 'AWSMachine', name: 'm-1' },
    },
    status: { initialization: { infrastructureProvisioned: true }, ...status },
  });
  await put(toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  const state = {
    reachable: true,
    refuses: undefined as WorkloadRefusedError | undefined,
    initialized: true,
    nodes: [readyNode],
    pods: PODS.map((name) => pod(name)),
    asked: 0,
    cloudController: undefined as string | undefined,
    /** Undefined if EC2 does not answer. */
    instances: new Map<string, string>() as ReadonlyMap<string, string> | undefined,
    deleted: [] as string[],
    /** Names of nodes whose deletion is refused. */
    undeletable: [] as string[],
    patches: [] as [string, NodePatch][],
    askedEc2: 0,
    /** Undefined if no command can be executed in pods. */
    etcd: undefined as TestMember[] | undefined,
  };
  const fleet = () => ({
    statesOf: async () => {
      state.askedEc2 += 1;
      if (!state.instances) throw new Error('RequestLimitExceeded');
      return state.instances;
    },
  });
  const capacity = () => ({ instanceType: async () => undefined, image: async () => undefined });
  const ask = async <T>(answer: () => T): Promise<T> => {
    state.asked += 1;
    if (state.refuses) throw state.refuses;
    if (!state.reachable) throw new WorkloadUnreachableError('connect ETIMEDOUT');
    return answer();
  };
  const client = {
    nodes: () => ask(() => state.nodes),
    controlPlanePods: () => ask(() => state.pods),
    hasSystemObject: () => ask(() => state.initialized),
    systemConfigMap: () => ask(() => ({ ClusterConfiguration: 'certificateValidityPeriod: 2160h0m0s' })),
    bootstrapTokens: () => ask(() => []),
    cloudController: () => ask(() => state.cloudController),
    patchNode: (name, patch) => ask(() => void state.patches.push([name, patch])),
    execute: ({ pod: name, command }) =>
      ask(() => {
        if (!state.etcd) throw new WorkloadUnreachableError(`pod ${name}: HTTP 403`);
        return answerEtcdctl(state.etcd, command);
      }),
    deleteNode: (name) =>
      ask(() => {
        if (state.undeletable.includes(name)) {
          throw new WorkloadRefusedError({ code: 500, reason: 'InternalError', causes: [] });
        }
        state.deleted.push(name);
      }),
    close: async () => {},
  } as Partial<WorkloadClient> as WorkloadClient;
  const work = { touch: async () => ({ wanted: 2, leased: true }) };
  const providers = { aws: makeWorkloadPort({ scopeOf: controllerScopeOf, fleet, capacity }) };
  const look = () =>
    probe({ objects, clock, connect: () => client, providers, log: silentLog, work })({
      cluster: { ...KEY, uid: cluster.metadata.uid ?? '' },
      wanted: 1,
      holder: 'h',
    });
  const condition = async (type: string) =>
    (await objects.get(kinds.machine, { namespace: 'default', name: 'm-1' }))?.status?.conditions?.find(
      (found) => found.type === type,
    );
  const connection = async () =>
    (await objects.get(kinds.cluster, KEY))?.status?.conditions?.find(({ type }) => type === 'RemoteConnectionProbe');
  return { objects, clock, put, state, look, condition, connection };
};
