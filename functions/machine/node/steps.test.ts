import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { context, makeWorld, type NodeWorld, node, PROVIDER_ID } from './test-world.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const initialized = (cluster: Cluster): Cluster => ({
  ...cluster,
  status: {
    ...cluster.status,
    initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
  },
});

describe('confirmNode', () => {
  let w: NodeWorld;
  beforeEach(async () => {
    w = await makeWorld(database);
  });

  it('waits while the API server does not respond, and reports why', async () => {
    w.state.reachable = false;
    expect(await w.steps.confirmNode(w.input, context)).toEqual({ progress: 'watch', waitSeconds: 1 });
    const waiting = 'Waiting for Cluster status.initialization.infrastructureProvisioned to be true';
    expect(await w.condition('NodeHealthy')).toMatchObject({ reason: 'InspectionFailed', message: waiting });

    await w.objects.mutate(kinds.cluster, { namespace: 'default', name: 'red' }, initialized);
    await w.steps.watchNodes(w.input, context);
    expect(await w.condition('NodeHealthy')).toMatchObject({ status: 'Unknown', reason: 'ConnectionDown' });
  });

  describe('if the API server refuses a request', () => {
    const refused = new WorkloadRefusedError({ code: 500, reason: 'InternalError', causes: [] });

    it('to change the node, records the node, because a pass repeats the change', async () => {
      w.state.nodes = [node('True')];
      w.state.patches.push = () => {
        throw refused;
      };
      expect(await w.steps.confirmNode(w.input, context)).toEqual({ progress: 'done', waitSeconds: 0 });
      expect(await w.condition('NodeReady')).toMatchObject({ status: 'True' });
    });

    it('that the search needs, waits and reports why', async () => {
      await w.objects.mutate(kinds.cluster, { namespace: 'default', name: 'red' }, initialized);
      w.state.nodes = [];
      w.state.tokens.push = () => {
        throw refused;
      };
      expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'watch' });
      expect((await w.condition('NodeReady'))?.message).toContain(refused.message);
    });
  });

  it('waits without a watch in executions of an older definition, and keeps its lease', async () => {
    w.state.reachable = false;
    const again = { ...w.input, repeats: true } as const;
    expect(await w.steps.confirmNode(again, context)).toEqual({ progress: 'wait', waitSeconds: 1 });
    expect(await w.steps.confirmNode(again, context)).toMatchObject({ progress: 'wait' });
  });

  it('keeps the bootstrap token valid while no node has joined', async () => {
    w.state.nodes = [node('True', 'aws:///us-east-1a/i-another')];
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'watch' });

    await w.steps.watchNodes(w.input, context);
    expect(w.state.tokens).toHaveLength(1);
    const [token] = w.state.tokens;
    expect(token?.metadata.name).toMatch(/^bootstrap-token-[a-z0-9]{6}$/);
    expect(Buffer.from(token?.data?.expiration ?? '', 'base64').toString()).toBe('2026-01-01T00:15:00Z');
    expect((await w.condition('NodeReady'))?.message).toContain(PROVIDER_ID);
    w.clock.advance(11 * 60);
    await w.steps.watchNodes(w.input, context);
    expect(w.state.tokens).toHaveLength(2);
  });

  it('waits while the node is not ready, then is done and counts the node once', async () => {
    w.state.nodes = [node('False')];
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'watch' });
    expect((await w.condition('NodeReady'))?.message).toBe('* Node.Ready: no CNI');
    expect(w.touched).toEqual(['red']);
    await w.work.beginMachine(w.input.machine, w.input.holder, 120);
    w.state.nodes = [node('True')];
    expect(await w.steps.confirmNode(w.input, context)).toEqual({ progress: 'done', waitSeconds: 0 });

    const machine = await w.objects.get(kinds.machine, w.input.machine);
    expect(machine?.status).toMatchObject({ phase: 'Running', nodeRef: { name: 'ip-10-0-0-1' } });
    expect(w.touched).toEqual(['red']);
  });

  it('touches the cluster once when a control plane machine first sees the API respond', async () => {
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
    await w.steps.watchNodes(w.input, context);
    await w.steps.watchNodes(w.input, context);
    expect(w.touched).toEqual(['red']);
  });

  it('reports that the node of a control plane machine lacks the label and the taint of its registration', async () => {
    const { metadata, spec } = (await w.objects.get(kinds.machine, w.input.machine)) as Machine;
    await w.objects.mutate(kinds.machine, w.input.machine, (machine) => ({
      ...machine,
      metadata: { ...metadata, labels: { ...metadata.labels, 'cluster.x-k8s.io/control-plane': '' } },
    }));
    await w.objects.ensure(kinds.kubeadmConfig, {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfig',
      metadata: { name: spec.bootstrap.configRef?.name ?? '', namespace: metadata.namespace, labels: metadata.labels },
      spec: { joinConfiguration: { controlPlane: {} } },
    });
    w.state.nodes = [node('True')];
    await w.steps.confirmNode(w.input, context);
    expect((await w.condition('NodeKubeadmLabelsAndTaintsSet'))?.message).toBe(
      'Node ip-10-0-0-1 does not have the node-role.kubernetes.io/control-plane label and the node-role.kubernetes.io/control-plane:NoSchedule taint',
    );
  });

  it('sets the labels and annotations of the node and removes only the uninitialized taint', async () => {
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

  it('tells the user where to look if no node joins, and ends after twenty minutes', async () => {
    w.clock.advance(6 * 60);
    await w.work.beginMachine(w.input.machine, w.input.holder, 120);
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'watch' });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.map(({ message }) => message).join()).toContain('get-console-output --instance-id i-1');
    w.clock.advance(15 * 60);
    expect(await w.steps.watchNodes(w.input, context)).toMatchObject({ progress: 'done', anyFinished: false });
  });

  it('continues with the watch even if the answer of its first attempt was lost', async () => {
    w.state.nodes = [];
    const first = await w.steps.confirmNode(w.input, context);
    expect(first).toMatchObject({ progress: 'watch' });
    expect(await w.steps.confirmNode(w.input, context)).toEqual(first);
    const cluster = { namespace: 'default', name: w.input.machine.clusterName, uid: w.input.machine.clusterUid };
    expect((await w.work.machinesInWork(cluster)).busy).toEqual(new Set());
  });

  it('stops when the machine is deleted or its lease is lost', async () => {
    expect(await w.steps.confirmNode({ ...w.input, holder: 'another' }, context)).toMatchObject({ progress: 'failed' });
    await w.objects.delete(kinds.machine, w.input.machine);
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'failed' });
  });
});
