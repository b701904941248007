import type { V1Node } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { withInitializer } from '../../../shared/plan/memory/initializer.ts';
import { WorkloadRefusedError, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { KEY, labels, PODS, pod, readyNode, world } from './test-probe.ts';

describe('probe', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('reports the control plane as initialized and the machine as healthy', async () => {
    await w.look();
    const cluster = await w.objects.get(kinds.cluster, KEY);
    expect(cluster?.status?.conditions?.find(({ type }) => type === 'RemoteConnectionProbe')?.status).toBe('True');
    expect((await w.objects.get(kinds.kubeadmControlPlane, KEY))?.status?.initialization?.controlPlaneInitialized).toBe(
      true,
    );
    for (const type of ['NodeReady', 'APIServerPodHealthy', 'EtcdPodHealthy', 'EtcdMemberHealthy']) {
      expect((await w.condition(type))?.status, type).toBe('True');
    }
  });

  it('reports a member as unhealthy if its etcd pod is not ready', async () => {
    w.state.pods = PODS.map((name) => pod(name, name === 'etcd' ? 'False' : 'True'));
    await w.look();
    expect(await w.condition('EtcdMemberHealthy')).toMatchObject({ status: 'False', reason: 'NotHealthy' });
    expect(await w.condition('APIServerPodHealthy')).toMatchObject({ status: 'True' });
  });

  describe('checks the taint of a control plane node', () => {
    const configure = (nodeRegistration: object) =>
      w.put({
        apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
        kind: 'KubeadmConfig',
        metadata: { name: 'm-1', namespace: 'default', labels },
        spec: { joinConfiguration: { controlPlane: {}, nodeRegistration } },
      });
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' };

    it('against the configuration that the machine joined with', async () => {
      await configure({ imagePullSerial: true });
      await w.look();
      expect(await w.condition('NodeKubeadmLabelsAndTaintsSet')).toMatchObject({
        status: 'False',
        reason: 'NotSet',
        message: 'Node n-1 does not have the node-role.kubernetes.io/control-plane:NoSchedule taint',
      });
    });

    it('against the stored facts of the machine that initialized the control plane', async () => {
      await configure({ imagePullSerial: true });
      await w.objects.mutate(kinds.cluster, KEY, (current) => ({
        ...current,
        spec: { ...current.spec, infrastructureRef },
      }));
      const machine = await w.objects.get(kinds.machine, { namespace: 'default', name: 'm-1' });
      const infrastructure = {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'AWSCluster',
        metadata: { ...KEY, labels },
        spec: { region: 'us-east-1' },
      };
      await w.put(
        withInitializer(infrastructure, { machine: machine?.metadata.uid ?? '', tainted: false }) ?? infrastructure,
      );
      await w.look();
      expect(await w.condition('NodeKubeadmLabelsAndTaintsSet')).toMatchObject({ status: 'True', reason: 'Set' });
    });

    it('without a read of the configuration if the result does not depend on it', async () => {
      await configure({ imagePullSerial: true });
      const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];
      w.state.nodes = [{ ...readyNode, spec: { ...readyNode.spec, taints } }];
      const read = vi.spyOn(w.objects, 'get');
      await w.look();
      expect(read.mock.calls.map(([{ kind }]) => kind)).not.toContain('KubeadmConfig');
      expect(await w.condition('NodeKubeadmLabelsAndTaintsSet')).toMatchObject({ status: 'True' });
    });
  });

  it('records nodes even if the API server refuses to change them', async () => {
    w.state.patches.push = () => {
      throw new WorkloadRefusedError({ code: 500, reason: 'InternalError', causes: [] });
    };
    expect(await w.look()).toEqual({ reached: true });
    expect(await w.condition('NodeReady')).toMatchObject({ status: 'True' });
    expect((await w.connection())?.status).toBe('True');
  });

  it('records nodes even if the API server answers no request that changes something', async () => {
    w.state.patches.push = () => {
      throw new WorkloadUnreachableError('connect ETIMEDOUT');
    };
    expect(await w.look()).toEqual({ reached: true });
    expect(await w.condition('NodeReady')).toMatchObject({ status: 'True' });
    expect((await w.connection())?.status).toBe('True');
  });

  it('reports unknown, but no deleted node, if the API server does not answer', async () => {
    await w.look();
    w.state.reachable = false;
    await w.look();
    const cluster = await w.objects.get(kinds.cluster, KEY);
    expect(cluster?.status?.conditions?.find(({ type }) => type === 'RemoteConnectionProbe')).toMatchObject({
      status: 'False',
      message: 'connect ETIMEDOUT',
    });
    expect(await w.condition('NodeReady')).toMatchObject({ status: 'Unknown', reason: 'ConnectionDown' });
    expect(await w.condition('EtcdMemberHealthy')).toMatchObject({ status: 'Unknown' });
  });

  it('reports a deleted node when the answer of the API server does not contain it', async () => {
    await w.look();
    w.state.nodes = [];
    await w.look();
    expect(await w.condition('NodeReady')).toMatchObject({ status: 'False', reason: 'NodeDeleted' });
  });

  it('reports the components of a machine as unknown if its node was deleted', async () => {
    await w.look();
    w.state.nodes = [];
    w.state.pods = [];
    await w.look();
    const unknown = { status: 'Unknown', reason: 'InspectionFailed', message: 'Node n-1 does not exist' };
    expect(await w.condition('APIServerPodHealthy')).toMatchObject(unknown);
    expect(await w.condition('NodeKubeadmLabelsAndTaintsSet')).toMatchObject(unknown);
    expect(await w.condition('EtcdMemberHealthy')).toMatchObject(unknown);
  });

  it('sets the certificate expiry of a machine that has joined, once', async () => {
    const metadata = { name: 'm-1', namespace: 'default', labels };
    await w.put({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      metadata: { ...metadata, annotations: { 'windlass.dev/launch': '{"at":"2026-01-01T00:05:00Z"}' } },
      spec: { instanceType: 't3.large' },
    });
    await w.put({ apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig', metadata });
    const config = () => w.objects.get(kinds.kubeadmConfig, { namespace: 'default', name: 'm-1' });
    const expiry = async () => (await config())?.metadata.annotations?.['machine.cluster.x-k8s.io/certificates-expiry'];
    await w.look();
    expect(await expiry()).toBeUndefined();
    // The first probe has found the node.
    await w.look();
    expect(await expiry()).toBe('2026-04-01T00:00:00Z');
  });

  describe('finds a node without a machine and', () => {
    const orphan: V1Node = { metadata: { name: 'n-2' }, spec: { providerID: 'aws:///us-east-1a/i-2' } };
    beforeEach(() => {
      w.state.nodes = [readyNode, orphan];
      w.state.instances = new Map([['i-2', 'terminated']]);
    });

    it('deletes it when its instance is terminated, and records an event', async () => {
      await w.look();
      expect(w.state.deleted).toEqual(['n-2']);
      expect((await w.objects.list(kinds.event)).map(({ reason }) => reason)).toEqual(['DeletedNode']);
    });

    it.each([
      { why: 'its instance runs', given: { instances: new Map([['i-2', 'running']]) } },
      { why: 'EC2 does not answer', given: { instances: undefined } },
      { why: 'there is a cloud controller manager', given: { cloudController: 'DaemonSet kube-system/x' } },
    ])('keeps it when $why', async ({ given }) => {
      Object.assign(w.state, given);
      await w.look();
      expect(w.state.deleted).toEqual([]);
    });

    it('deletes others even if the API server refuses to delete it', async () => {
      w.state.nodes.push({ metadata: { name: 'n-3' }, spec: { providerID: 'aws:///us-east-1a/i-3' } });
      w.state.instances = new Map(['i-2', 'i-3'].map((id) => [id, 'terminated']));
      w.state.undeletable = ['n-2'];
      expect(await w.look()).toMatchObject({ reached: true });
      expect(w.state.deleted).toEqual(['n-3']);
    });

    it('does not call EC2 if every node has a machine', async () => {
      w.state.nodes = [readyNode];
      await w.look();
      expect(w.state.askedEc2).toBe(0);
    });
  });

  it('sends no request while no control plane instance runs', async () => {
    const early = await world({ initialization: { bootstrapDataSecretCreated: true } });
    await early.look();
    expect(early.state.asked).toBe(0);
    expect(await early.connection()).toBeUndefined();
  });

  describe('of a cluster that could be reached before reports the loss', () => {
    beforeEach(async () => {
      await w.look();
      expect((await w.connection())?.status).toBe('True');
    });

    it('when its API server refuses the credentials', async () => {
      w.state.refuses = new WorkloadRefusedError({ code: 401, reason: 'Unauthorized', causes: [] });
      await w.look();
      const message = expect.stringContaining('401 Unauthorized');
      expect(await w.connection()).toMatchObject({ status: 'False', reason: 'ProbeFailed', message });
      expect(await w.condition('NodeReady')).toMatchObject({ status: 'Unknown' });
    });

    it('when its kubeconfig Secret is gone', async () => {
      await w.objects.delete(kinds.secret, { namespace: 'default', name: 'red-kubeconfig' });
      await w.look();
      const message = 'the Secret red-kubeconfig does not exist';
      expect(await w.connection()).toMatchObject({ status: 'False', reason: 'ProbeFailed', message });
    });

    it('when it has no control plane machine left', async () => {
      await w.objects.delete(kinds.machine, { namespace: 'default', name: 'm-1' });
      await w.look();
      const message = 'no control plane Machine has an instance';
      expect(await w.connection()).toMatchObject({ status: 'False', reason: 'ProbeFailed', message });
    });
  });

  describe('of a cluster whose infrastructure is not ready', () => {
    const infrastructure = (status: 'True' | 'False') => ({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSCluster',
      metadata: KEY,
      spec: {},
      status: {
        ready: true,
        conditions: [{ type: 'LoadBalancerReady', status, lastTransitionTime: '2026-01-01T00:00:00Z' }],
      },
    });
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' };

    const looksAtHealth = async (status: 'True' | 'False') => {
      await w.objects.mutate(kinds.cluster, KEY, ({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, infrastructureRef },
      }));
      await w.put(infrastructure(status));
      await w.put({
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineHealthCheck',
        metadata: { ...KEY, labels },
        spec: {
          clusterName: 'red',
          selector: { matchLabels: { 'cluster.x-k8s.io/control-plane': '' } },
          checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
        },
      });
      await w.look();
      expect((await w.connection())?.status).toBe('True');
      const check = await w.objects.get(kinds.machineHealthCheck, KEY);
      return check?.status?.expectedMachines !== undefined;
    };

    it('evaluates no machine, because none could be replaced', async () => {
      expect(await looksAtHealth('False')).toBe(false);
    });

    it('evaluates machines again once it is ready', async () => {
      expect(await looksAtHealth('True')).toBe(true);
    });
  });
});
