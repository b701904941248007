import type { V1Node } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type Machine, type MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import type { FleetBrake } from '../../../shared/store/fleet-brake.ts';
import { withOutside } from '../../../shared/store/outside-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { createTestApi } from '../../api/test-api.ts';
import { CRDS } from '../../api/test-widgets.ts';
import { createControllersRegistry } from '../../controllers-registry.ts';
import { checkHealth } from './health.ts';

const KEY = { namespace: 'default', name: 'red' };
const CAPI = 'cluster.x-k8s.io/v1beta2';

const condition = (type: string, status = 'True') => ({
  ...{ type, status, reason: 'Because', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
});

const nodeOf = (name: string, ready: string): V1Node => ({
  metadata: { name },
  status: { conditions: [{ ...condition('Ready', ready), lastTransitionTime: new Date('2026-01-01T00:00:00Z') }] },
});

/** A cluster that runs, with three workers and a check of them. */
const world = async (remediation?: object) => {
  const clock = testClock('2026-01-01T00:10:00Z');
  const storage = createMemoryStorage();
  const registry = createControllersRegistry({ storage, clock, random: systemRandom });
  const objects = withOutside(createObjectClient(registry), registry.catalog);
  const infrastructure = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'x' };
  const { object: cluster } = await objects.ensure(kinds.cluster, {
    apiVersion: CAPI,
    kind: 'Cluster',
    metadata: KEY,
    spec: { infrastructureRef: { ...infrastructure, kind: 'AWSCluster' } },
    status: { conditions: [condition('InfrastructureReady'), condition('ControlPlaneInitialized')] },
  } as Cluster);
  for (const name of ['a', 'b', 'c']) {
    await objects.ensure(kinds.machine, {
      apiVersion: CAPI,
      kind: 'Machine',
      metadata: { namespace: 'default', name, labels: { pool: 'workers' } },
      spec: { clusterName: 'red', bootstrap: { dataSecretName: name }, infrastructureRef: infrastructure },
      status: { nodeRef: { name } },
    } as Machine);
  }
  await objects.ensure(kinds.machineHealthCheck, {
    apiVersion: CAPI,
    kind: 'MachineHealthCheck',
    metadata: { namespace: 'default', name: 'workers' },
    spec: {
      clusterName: 'red',
      selector: { matchLabels: { pool: 'workers' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
      ...(remediation ? { remediation } : {}),
    },
  } as MachineHealthCheck);
  let touched = 0;
  const work = {
    touch: async () => {
      touched += 1;
      return { wanted: touched, leased: true };
    },
  };
  const ref = { ...KEY, uid: cluster.metadata.uid ?? '' };
  const nodes = new Map(['a', 'b', 'c'].map((name) => [name, nodeOf(name, 'True')]));
  return {
    objects,
    storage,
    clock,
    change: (name: string, change: (machine: Machine) => Machine) =>
      objects.mutate(kinds.machine, { namespace: 'default', name }, change),
    setInitialized: (status: string) =>
      objects.mutate(kinds.cluster, KEY, (current) => ({
        ...current,
        status: {
          conditions: [condition('InfrastructureReady'), condition('ControlPlaneInitialized', status)],
        } as never,
      })),
    nodes,
    judge: (seen: readonly V1Node[] | undefined) => checkHealth({ objects, clock, work }, ref, seen),
    lookUnder: (holds: FleetBrake['holds']) =>
      checkHealth({ objects, clock, work, fleetBrake: { holds } }, ref, [...nodes.values()]),
    look: () => checkHealth({ objects, clock, work }, ref, [...nodes.values()]),
    touched: () => touched,
    check: async () =>
      (await objects.get(kinds.machineHealthCheck, { namespace: 'default', name: 'workers' })) as MachineHealthCheck,
    condition: async (name: string, type: string) =>
      (await objects.get(kinds.machine, { namespace: 'default', name }))?.status?.conditions?.find(
        (c) => c.type === type,
      ),
    events: async () => (await objects.list(kinds.event)).map(({ reason }) => reason).sort(),
  };
};

describe('a MachineHealthCheck', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('finds machines healthy, counts them and belongs to its cluster', async () => {
    await w.look();
    const { status, metadata } = await w.check();
    expect(status).toMatchObject({
      expectedMachines: 3,
      currentHealthy: 3,
      remediationsAllowed: 3,
      observedGeneration: 1,
    });
    expect(status?.targets).toEqual(['a', 'b', 'c']);
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'red' }]);
    expect(await w.condition('a', 'HealthCheckSucceeded')).toMatchObject({ status: 'True' });
    expect([w.touched(), await w.events()]).toEqual([0, []]);
  });

  it('marks an unhealthy machine for its owner, says so once, and asks for the pass that remediates', async () => {
    w.nodes.set('b', nodeOf('b', 'Unknown'));
    await w.look();
    await w.look();
    expect(await w.condition('b', 'HealthCheckSucceeded')).toMatchObject({ status: 'False', reason: 'UnhealthyNode' });
    expect(await w.condition('b', 'OwnerRemediated')).toMatchObject({
      status: 'False',
      reason: 'WaitingForRemediation',
    });
    expect((await w.condition('b', 'Ready'))?.message).toMatch(/HealthCheckSucceeded:\n +\* Health check failed/);
    expect([w.touched(), await w.events()]).toEqual([1, ['MachineMarkedUnhealthy']]);
  });

  it.each([
    { reason: 'nobody answered', seen: undefined },
    { reason: 'the answer held no node at all', seen: [] },
  ])('judges nothing when $reason', async ({ seen }) => {
    await w.judge(seen);
    expect((await w.check()).status).toBeUndefined();
    expect(await w.condition('a', 'HealthCheckSucceeded')).toBeUndefined();
  });

  it('does not remediate when too many are unhealthy, and says why', async () => {
    w = await world({ triggerIf: { unhealthyLessThanOrEqualTo: 1 } });
    for (const name of ['a', 'b']) w.nodes.set(name, nodeOf(name, 'Unknown'));
    await w.look();
    await w.look();
    const { status } = await w.check();
    expect(status).toMatchObject({ currentHealthy: 1, remediationsAllowed: 0 });
    expect(status?.conditions?.find(({ type }) => type === 'RemediationAllowed')).toMatchObject({
      status: 'False',
      reason: 'TooManyUnhealthy',
    });
    expect(await w.condition('a', 'HealthCheckSucceeded')).toMatchObject({ status: 'False' });
    expect(await w.condition('a', 'OwnerRemediated')).toBeUndefined();
    expect([w.touched(), await w.events()]).toEqual([
      0,
      ['MachineMarkedUnhealthy', 'MachineMarkedUnhealthy', 'RemediationRestricted'],
    ]);
  });

  it('does not remediate while the fleet brake holds, and does when it is released', async () => {
    const asked: string[] = [];
    const holds = (isHeld: boolean) => async () => (namespace: string) => {
      asked.push(namespace);
      return isHeld;
    };
    await w.lookUnder(holds(true));
    expect(asked).toEqual([]);
    w.nodes.set('b', nodeOf('b', 'Unknown'));
    await w.lookUnder(holds(true));
    expect(asked).toEqual(['default']);
    expect(await w.condition('b', 'HealthCheckSucceeded')).toMatchObject({ status: 'False' });
    expect(await w.condition('b', 'OwnerRemediated')).toBeUndefined();
    const { status } = await w.check();
    expect(status?.conditions?.find(({ type }) => type === 'RemediationAllowed')?.message).toContain('fleetBrake');
    expect([w.touched(), await w.events()]).toEqual([0, ['MachineMarkedUnhealthy', 'RemediationRestricted']]);
    await w.lookUnder(holds(false));
    expect(await w.condition('b', 'OwnerRemediated')).toMatchObject({ status: 'False' });
    expect(w.touched()).toBe(1);
  });

  it('notes when a machine on its way there will be unhealthy', async () => {
    const late = new Date('2026-01-01T00:08:00Z');
    const slow = { ...condition('Ready', 'Unknown'), lastTransitionTime: late };
    w.nodes.set('c', { metadata: { name: 'c' }, status: { conditions: [slow] } });
    await w.look();
    expect((await w.check()).metadata.annotations).toEqual({ 'windlass.dev/next-check': '2026-01-01T00:13:01Z' });
    w.nodes.set('c', nodeOf('c', 'True'));
    await w.look();
    expect((await w.check()).metadata.annotations ?? {}).toEqual({});
  });

  describe('with a template of a controller from outside', () => {
    const templateRef = { apiVersion: 'example.com/v1', kind: 'RebootTemplate', name: 'reboot' };
    const PATH = '/apis/example.com/v1/namespaces/default';
    const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const define = (kind: string) => {
      const plural = `${kind.toLowerCase()}s`;
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } };
      return {
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        metadata: { name: `${plural}.example.com`, labels: { 'cluster.x-k8s.io/v1beta2': 'v1' } },
        spec: {
          ...{ group: 'example.com', scope: 'Namespaced', names: { kind, plural } },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      };
    };
    let api: ReturnType<typeof createTestApi>['admin'];
    const defineKinds = async () => {
      for (const kind of ['Reboot', 'RebootTemplate'])
        expect((await api.ask('POST', CRDS, define(kind))).code).toBe(201);
    };
    const makeTemplate = async () => {
      const metadata = { name: 'reboot' };
      const spec = { template: { metadata: { labels: { how: 'hard' } }, spec: { times: 2 } } };
      const object = { apiVersion: 'example.com/v1', kind: 'RebootTemplate', metadata, spec };
      expect((await api.ask('POST', `${PATH}/reboottemplates`, object)).code).toBe(201);
    };
    const request = () => api.ask('GET', `${PATH}/reboots/a`);
    const fail = async () => {
      w.nodes.set('a', nodeOf('a', 'Unknown'));
      await w.look();
    };

    beforeEach(async () => {
      w = await world({ templateRef });
      api = createTestApi(w.storage).admin;
    });

    it('says that the template does not exist, and leaves the machine to no one else', async () => {
      await fail();
      expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({
        status: 'False',
        reason: 'RemediationTemplateNotFound',
        message: 'Error retrieving remediation template RebootTemplate default/reboot',
      });
      expect(await w.condition('a', 'OwnerRemediated')).toBeUndefined();
    });

    it('makes a request, which is taken back when the machine is well again', async () => {
      await defineKinds();
      await makeTemplate();
      await fail();

      expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({ reason: 'WaitingForRemediation' });
      const { body } = await request();
      expect(body).toMatchObject({
        spec: { times: 2 },
        metadata: {
          labels: { how: 'hard', 'cluster.x-k8s.io/cluster-name': 'red' },
          annotations: {
            'cluster.x-k8s.io/cloned-from-name': 'reboot',
            'cluster.x-k8s.io/cloned-from-groupkind': 'RebootTemplate.example.com',
          },
          ownerReferences: [{ kind: 'Machine', name: 'a' }],
        },
      });
      expect((await api.ask('GET', `${PATH}/reboots`)).body.items).toHaveLength(1);

      w.nodes.set('a', nodeOf('a', 'True'));
      await w.look();
      expect((await request()).code).toBe(404);
    });

    it('keeps what the controller says of a remediation that goes on', async () => {
      await defineKinds();
      await makeTemplate();
      await fail();
      const said = { ...condition('ExternallyRemediated', 'False'), reason: 'Rebooting', message: 'once' };
      await w.change('a', (machine) => ({
        ...machine,
        status: {
          ...machine.status,
          conditions: [...(machine.status?.conditions ?? []).filter(({ type }) => type !== said.type), said],
        } as Machine['status'],
      }));
      await w.look();
      expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({ reason: 'Rebooting', message: 'once' });
    });

    it('does not take an object of that name for its request', async () => {
      await defineKinds();
      await makeTemplate();
      const other = { apiVersion: 'example.com/v1', kind: 'Reboot', metadata: { name: 'a' }, spec: {} };
      expect((await api.ask('POST', `${PATH}/reboots`, other)).code).toBe(201);
      await fail();
      expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({
        reason: 'RemediationRequestCreationFailed',
        message: 'Reboot a is not of this Machine',
      });
      w.nodes.set('a', nodeOf('a', 'True'));
      await w.look();
      expect((await request()).code).toBe(200);
    });
  });

  it('judges only the machine that holds the lock before the control plane is initialized', async () => {
    await w.setInitialized('False');
    const late = { 'cluster.x-k8s.io/control-plane': '' };
    for (const name of ['b', 'c'])
      await w.change(name, ({ status: _, ...machine }) => ({
        ...machine,
        metadata: { ...machine.metadata, labels: { ...machine.metadata.labels, ...late } },
      }));
    await w.objects.ensure(kinds.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'red-lock' },
      data: { 'lock-information': JSON.stringify({ machineName: 'c' }) },
    });
    w.clock.advance(3600);
    await w.judge(undefined);
    expect(await w.condition('c', 'HealthCheckSucceeded')).toMatchObject({ reason: 'NodeStartupTimeout' });
    expect(await w.condition('b', 'HealthCheckSucceeded')).toBeUndefined();
    expect(w.touched()).toBe(1);
  });

  it('does nothing while it is paused', async () => {
    const key = { namespace: 'default', name: 'workers' };
    await w.objects.mutate(kinds.machineHealthCheck, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } },
    }));
    w.nodes.delete('a');
    await w.look();
    expect((await w.check()).status?.conditions).toMatchObject([{ type: 'Paused', status: 'True' }]);
    expect(await w.condition('a', 'HealthCheckSucceeded')).toBeUndefined();
  });
});
