import { beforeEach, describe, expect, it } from 'vitest';
import { KINDS, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../shared/kube-api/storage/object-client.ts';
import type { TargetGroup, Targets } from '../../../../shared/providers/aws/api/elbv2-targets.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import { controllerScopeOf } from '../aws-scope.ts';
import { makeTargetSteps } from './steps.ts';

const infrastructureRef = (kind: string, name: string) => ({ apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name });
const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeTargetSteps>['attachEndpoint']
>[1];

const MARK = { 'windlass.dev/cluster': 'default/red' };
const OURS = { tags: MARK, balancerTags: MARK };

const world = async (loadBalancer: object = {}) => {
  const clock = testClock();
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
  );
  const uids: Record<string, string> = {};
  for (const object of [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'red', namespace: 'default' },
      spec: { infrastructureRef: infrastructureRef('AWSCluster', 'red') },
    },
    {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSCluster',
      metadata: { name: 'red', namespace: 'default' },
      spec: { region: 'us-east-1', controlPlaneLoadBalancer: loadBalancer },
    },
    {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      metadata: { name: 'm', namespace: 'default' },
      spec: { instanceType: 't3.large', instanceID: 'i-1' },
    },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name: 'm', namespace: 'default', finalizers: ['machine.cluster.x-k8s.io'] },
      spec: {
        clusterName: 'red',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: infrastructureRef('AWSMachine', 'm'),
      },
    },
  ] as unknown as KubeObject[]) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (resource) uids[object.kind] = (await objects.ensure(resource, object)).object.metadata.uid ?? '';
  }
  const state = {
    refusal: undefined as Error | undefined,
    groups: [
      { arn: 'api', port: 6443, ...OURS },
      { arn: 'extra', port: 8132, ...OURS },
    ] as TargetGroup[],
    runs: true,
    members: new Set<string>(),
    asked: [] as string[],
  };
  const targets: Targets = {
    groupsOf: async (name) => {
      state.asked.push(name);
      return state.groups;
    },
    register: async ({ arn, port }, id) => {
      if (state.refusal) throw state.refusal;
      if (state.runs) state.members.add(`${arn}:${port}/${id}`);
      return state.runs;
    },
    deregister: async ({ arn, port }, id) => {
      if (state.refusal) throw state.refusal;
      state.members.delete(`${arn}:${port}/${id}`);
    },
  };
  const machine = {
    namespace: 'default',
    name: 'm',
    uid: uids.Machine ?? '',
    clusterName: 'red',
    clusterUid: uids.Cluster ?? '',
  };
  const condition = async () =>
    (await objects.get(kinds.awsMachine, { namespace: 'default', name: 'm' }))?.status?.conditions?.find(
      ({ type }) => type === 'ELBAttached',
    );
  return {
    objects,
    state,
    condition,
    startDeletion: () => objects.delete(kinds.machine, { namespace: 'default', name: 'm' }),
    deleting: async () =>
      (await objects.get(kinds.machine, { namespace: 'default', name: 'm' }))?.status?.conditions?.find(
        ({ type }) => type === 'Deleting',
      ),
    attached: async () => (await condition())?.status,
    steps: makeTargetSteps({
      objects,
      scopeOf: controllerScopeOf,
      targets: () => targets,
      classicTargets: () => targets,
      clock,
    }),
    input: { machine, holder: 'h' },
  };
};

describe('the registration of an instance with the load balancer', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('covers all target groups of the load balancer with the name of the cluster, and is reported once', async () => {
    await w.steps.attachEndpoint(w.input, context);
    await w.steps.attachEndpoint(w.input, context);
    expect([...w.state.members]).toEqual(['api:6443/i-1', 'extra:8132/i-1']);
    expect(w.state.asked[0]).toBe('default-red-apiserver');
    expect(await w.attached()).toBe('True');
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.map(({ reason, count }) => [reason, count])).toEqual([['SuccessfulAttachControlPlaneELB', 1]]);
  });

  it('is retried while the instance does not run or the target group does not exist', async () => {
    w.state.runs = false;
    await expect(w.steps.attachEndpoint(w.input, context)).rejects.toMatchObject({ name: 'Transient' });
    w.state.groups = [];
    await expect(w.steps.attachEndpoint(w.input, context)).rejects.toMatchObject({ name: 'Transient' });
    expect(await w.attached()).toBeUndefined();
  });

  it('is reported if AWS refuses it, until a retry succeeds', async () => {
    const message = "The following targets have no primary IPv6 address: 'i-1'";
    w.state.refusal = Object.assign(new Error(message), { name: 'InvalidTargetException', $metadata: {} });
    await expect(w.steps.attachEndpoint(w.input, context)).rejects.toThrow(message);
    expect(await w.condition()).toMatchObject({
      ...{ status: 'False', severity: 'Error', reason: 'ELBAttachFailed' },
      message: expect.stringContaining(message),
    });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.map(({ reason }) => reason)).toEqual(['FailedAttachControlPlaneELB']);

    w.state.refusal = undefined;
    await w.steps.attachEndpoint(w.input, context);
    expect(await w.attached()).toBe('True');
  });

  it.each(['TooManyTargets', 'SomethingNew'])('is reported if AWS refuses it with %s', async (code) => {
    w.state.refusal = Object.assign(new Error('no'), { name: code, $metadata: { httpStatusCode: 400 } });
    await expect(w.steps.attachEndpoint(w.input, context)).rejects.toThrow('no');
    const message = expect.stringContaining(`${code}: no`);
    expect(await w.condition()).toMatchObject({ status: 'False', reason: 'ELBAttachFailed', message });
  });

  it('that cannot be removed is reported on the AWSMachine and the Machine, until AWS permits it', async () => {
    await w.steps.attachEndpoint(w.input, context);
    await w.startDeletion();
    w.state.refusal = Object.assign(new Error('no'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });

    await expect(w.steps.detachEndpoint(w.input, context)).rejects.toThrow('no');

    const message = expect.stringContaining('AccessDenied: no');
    expect(await w.condition()).toMatchObject({
      status: 'False',
      severity: 'Error',
      reason: 'ELBDetachFailed',
      message,
    });
    const reason = 'WaitingForInfrastructureDeletion';
    expect(await w.deleting()).toMatchObject({ status: 'True', reason, message });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.map((event) => event.reason)).toContain('FailedDetachControlPlaneELB');

    w.state.refusal = undefined;
    await w.steps.detachEndpoint(w.input, context);
    expect(w.state.members.size).toBe(0);
  });

  it('is removed before the instance is terminated', async () => {
    await w.steps.attachEndpoint(w.input, context);
    await w.steps.detachEndpoint(w.input, context);
    expect(w.state.members.size).toBe(0);
  });

  it('is skipped if the cluster has no load balancer of Windlass', async () => {
    const without = await world({ loadBalancerType: 'disabled' });
    await without.steps.attachEndpoint(without.input, context);
    expect(without.state.members.size).toBe(0);
    expect(without.state.asked).toEqual([]);
  });
});
