import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateAuthority } from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { toKubeconfigSecret, toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/memory-storage.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createObjectClient } from '../../../shared/kube-api/object-client.ts';
import { createRegistry } from '../../../shared/kube-api/registry.ts';
import { systemRandom } from '../../../shared/random.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { createWorkStore } from '../../../shared/store/work.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import {
  type NodePatch,
  type TokenSecret,
  type WorkloadClient,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import { makeNodeSteps } from './steps.ts';

const PROVIDER_ID = 'aws:///us-east-1a/i-1';
let database: TestDatabase;
const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeNodeSteps>['confirmNode']
>[1];

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

/** A workload cluster that remembers what was done to it. */
const makeWorkload = () => {
  const state = {
    reachable: true,
    nodes: [] as V1Node[],
    pods: [] as V1Pod[],
    tokens: [] as TokenSecret[],
    patches: [] as NodePatch[],
    deleted: [] as string[],
  };
  const ask = async <T>(answer: () => T): Promise<T> => {
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
    cloudController: () => ask(() => undefined),
    execute: () => ask(() => ({ code: 1, stdout: '', stderr: 'no such container' })),
    deleteNode: (name) => ask(() => void state.deleted.push(name)),
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
    create: () => ask(() => {}),
    replace: (object) => ask(() => object),
    drain: undefined as never,
    close: async () => {},
  };
  return { state, connect: () => client };
};

const node = (ready: 'True' | 'False', providerID = PROVIDER_ID): V1Node => ({
  metadata: { name: 'ip-10-0-0-1' },
  spec: {
    providerID,
    taints: [
      { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
      { key: 'kept', effect: 'NoExecute' },
    ],
  },
  status: { conditions: [{ type: 'Ready', status: ready, message: ready === 'True' ? '' : 'no CNI' }] },
});

const meta = (name: string) => ({ name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });

const world = async () => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
  );
  const put = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return (await objects.ensure(resource, object)).object;
  };
  const cluster = await put({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: {
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' },
      controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'red' },
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
  await put(
    toSecret('red', 'default', 'ca', await generateAuthority({ clock, random: systemRandom, keys: webCryptoKeys })),
  );
  await put(toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  await put({
    ...machine,
    metadata: { name: 'm-0', namespace: 'default', labels: { 'cluster.x-k8s.io/control-plane': '' } },
  });
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
  });
  const condition = async (type: string) => {
    const current = await objects.get(kinds.machine, input.machine);
    return current?.status?.conditions?.find((found) => found.type === type);
  };
  return { clock, objects, work, steps, input, touched, condition, ...workload };
};

describe('confirmNode', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('waits while the API server does not answer, and says why', async () => {
    w.state.reachable = false;
    expect(await w.steps.confirmNode(w.input, context)).toEqual({ progress: 'wait', waitSeconds: 1 });
    expect(await w.condition('NodeHealthy')).toMatchObject({ status: 'Unknown', reason: 'ConnectionDown' });
  });

  it('keeps the bootstrap token alive while no node has joined', async () => {
    w.state.nodes = [node('True', 'aws:///us-east-1a/i-another')];
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'wait' });

    await w.steps.confirmNode(w.input, context);
    expect(w.state.tokens).toHaveLength(1);
    const [token] = w.state.tokens;
    expect(token?.metadata.name).toMatch(/^bootstrap-token-[a-z0-9]{6}$/);
    expect(Buffer.from(token?.data?.expiration ?? '', 'base64').toString()).toBe('2026-01-01T00:15:00Z');
    expect((await w.condition('NodeReady'))?.message).toContain(PROVIDER_ID);
    w.clock.advance(11 * 60);
    await w.work.beginMachine(w.input.machine, w.input.holder, 120);
    await w.steps.confirmNode(w.input, context);
    expect(w.state.tokens).toHaveLength(2);
  });

  it('waits for a node that is not ready, then is done, and counts the node once', async () => {
    w.state.nodes = [node('False')];
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'wait' });
    expect((await w.condition('NodeReady'))?.message).toBe('* Node.Ready: no CNI');
    w.state.nodes = [node('True')];
    expect(await w.steps.confirmNode(w.input, context)).toEqual({ progress: 'done', waitSeconds: 0 });

    const machine = await w.objects.get(kinds.machine, w.input.machine);
    expect(machine?.status).toMatchObject({ phase: 'Running', nodeRef: { name: 'ip-10-0-0-1' } });
    expect(w.touched).toEqual(['red']);
  });

  it('wakes the cluster once when a control plane machine first sees the API answer', async () => {
    await w.objects.mutate(kinds.machine, w.input.machine, (machine) => ({
      ...machine,
      metadata: {
        ...machine.metadata,
        labels: { ...machine.metadata.labels, 'cluster.x-k8s.io/control-plane': '' },
      },
    }));
    w.state.reachable = false;
    await w.steps.confirmNode(w.input, context);
    expect(w.touched).toEqual([]);
    w.state.reachable = true;
    await w.steps.confirmNode(w.input, context);
    await w.steps.confirmNode(w.input, context);
    expect(w.touched).toEqual(['red']);
  });

  it('gives the node its labels and annotations and frees it of the uninitialized taint alone', async () => {
    w.state.nodes = [node('True')];
    await w.steps.confirmNode(w.input, context);
    expect(w.state.patches).toEqual([
      {
        labels: { 'node-role.kubernetes.io/gpu': '' },
        annotations: expect.objectContaining({
          'cluster.x-k8s.io/machine': 'm-1',
          'cluster.x-k8s.io/cluster-name': 'red',
        }),
        taints: [{ key: 'kept', effect: 'NoExecute' }],
      },
    ]);
  });

  it('tells the user where to look when no node joins, and ends after twenty minutes', async () => {
    w.clock.advance(6 * 60);
    await w.work.beginMachine(w.input.machine, w.input.holder, 120);
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'wait' });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.map(({ message }) => message).join()).toContain('get-console-output --instance-id i-1');
    w.clock.advance(15 * 60);
    await w.work.beginMachine(w.input.machine, w.input.holder, 120);
    expect(await w.steps.confirmNode(w.input, context)).toEqual({ progress: 'failed', waitSeconds: 0 });
  });

  it('stops when the machine is deleted or its lease is lost', async () => {
    expect(await w.steps.confirmNode({ ...w.input, holder: 'another' }, context)).toMatchObject({ progress: 'failed' });
    await w.objects.delete(kinds.machine, w.input.machine);
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'failed' });
  });
});

describe('deleteNode', () => {
  it('deletes the node of a machine that goes alone, and leaves it when the whole cluster goes', async () => {
    const w = await world();
    w.state.nodes = [node('True')];
    await w.steps.confirmNode(w.input, context);
    await w.objects.delete(kinds.machine, w.input.machine);
    await w.steps.deleteNode(w.input, context);
    expect(w.state.deleted).toEqual(['ip-10-0-0-1']);

    await w.objects.mutate(kinds.cluster, { namespace: 'default', name: 'red' }, (c) => ({
      ...c,
      metadata: { ...c.metadata, finalizers: ['keep/it'] },
    }));
    await w.objects.delete(kinds.cluster, { namespace: 'default', name: 'red' });
    await w.steps.deleteNode(w.input, context);
    expect(w.state.deleted).toEqual(['ip-10-0-0-1']);
  });

  it('tries again while the API server does not answer, and gives up after the timeout with a warning', async () => {
    const w = await world();
    w.state.nodes = [node('True')];
    await w.steps.confirmNode(w.input, context);
    await w.objects.delete(kinds.machine, w.input.machine);
    w.state.reachable = false;
    await expect(w.steps.deleteNode(w.input, context)).rejects.toMatchObject({ name: 'Transient' });
    expect((await w.condition('Deleting'))?.message).toBe('Error deleting Node: connect ECONNREFUSED');
    w.clock.advance(11);
    expect(await w.steps.deleteNode(w.input, context)).toEqual({ deleted: false });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.some(({ reason }) => reason === 'FailedDeleteNode')).toBe(true);
  });
});
