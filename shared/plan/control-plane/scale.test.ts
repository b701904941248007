import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../distributions/objects.ts';
import type { Machine } from '../../kinds/index.ts';
import type { Condition } from '../../kube-api/object.ts';
import { planControlPlaneScale } from './scale.ts';

const healthConditions = ['APIServerPodHealthy', 'EtcdMemberHealthy'];

const controlPlane = (replicas: number, initialized: boolean): ControlPlane =>
  ({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { name: 'cp', namespace: 'default', uid: 'cp-uid' },
    spec: {
      replicas,
      version: 'v1.34.0',
      machineTemplate: { spec: { infrastructureRef: { apiGroup: 'i', kind: 'AWSMachineTemplate', name: 't' } } },
    },
    status: initialized ? { initialization: { controlPlaneInitialized: true } } : {},
  }) as ControlPlane;

const healthy: Condition[] = healthConditions.map((type) => ({
  type,
  status: 'True',
  reason: 'Running',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
}));

const machine = (
  name: string,
  over: { zone?: string; deleting?: boolean; conditions?: Condition[]; node?: boolean } = {},
): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, ...(over.deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
    spec: {
      clusterName: 'c',
      bootstrap: {},
      infrastructureRef: { apiGroup: 'i', kind: 'AWSMachine', name },
      failureDomain: over.zone,
    },
    status: { ...(over.node === false ? {} : { nodeRef: { name } }), conditions: over.conditions ?? healthy },
  }) as Machine;

const zones = ['a', 'b', 'c'];

describe('planControlPlaneScale', () => {
  it('makes all machines of the first formation at once, one in each zone', () => {
    const plan = planControlPlaneScale({
      controlPlane: controlPlane(3, false),
      machines: [],
      failureDomains: zones,
      healthConditions,
    });

    expect(plan.create.map(({ failureDomain }) => failureDomain)).toEqual(zones);
    expect(new Set(plan.create.map(({ name }) => name)).size).toBe(3);
  });

  it('chooses the same names when it is asked again, and goes on where a killed pass stopped', () => {
    const facts = { controlPlane: controlPlane(3, false), machines: [], failureDomains: zones, healthConditions };
    const first = planControlPlaneScale(facts);
    const [made] = first.create;
    const again = planControlPlaneScale({ ...facts, machines: [machine(made?.name ?? '', { zone: 'a' })] });

    expect(planControlPlaneScale(facts)).toEqual(first);
    expect(again.create).toEqual(first.create.slice(1));
  });

  it('grows a formed control plane by one machine, in the zone with the fewest', () => {
    const machines = [machine('x', { zone: 'a' }), machine('y', { zone: 'b' }), machine('z', { zone: 'c' })];
    const plan = planControlPlaneScale({
      controlPlane: controlPlane(5, true),
      machines,
      failureDomains: ['a', 'b', 'c', 'd'],
      healthConditions,
    });

    expect(plan.create).toHaveLength(1);
    expect(plan.create[0]?.failureDomain).toBe('d');
  });

  it.each([
    { reason: 'a machine is being deleted', bad: machine('x', { deleting: true }), text: 'is being deleted' },
    { reason: 'a machine has no node', bad: machine('x', { node: false }), text: 'nodeRef not set' },
    {
      reason: 'an etcd member is unhealthy',
      bad: machine('x', {
        conditions: healthy.map((c) =>
          c.type === 'EtcdMemberHealthy' ? { ...c, status: 'False', message: 'no quorum' } : c,
        ) as Condition[],
      }),
      text: 'EtcdMemberHealthy is False: no quorum',
    },
  ])('does not grow a formed control plane while $reason', ({ bad, text }) => {
    const plan = planControlPlaneScale({
      controlPlane: controlPlane(3, true),
      machines: [bad, machine('y')],
      failureDomains: zones,
      healthConditions,
    });

    expect(plan.create).toEqual([]);
    expect(plan.blocked).toContain(text);
  });

  it('removes no machine, and says why', () => {
    const machines = ['x', 'y', 'z'].map((name) => machine(name));
    const plan = planControlPlaneScale({
      controlPlane: controlPlane(1, true),
      machines,
      failureDomains: zones,
      healthConditions,
    });

    expect(plan).toEqual({ create: [], blocked: expect.stringContaining('not supported yet') });
  });
});
