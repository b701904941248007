import { describe, expect, it } from 'vitest';
import type { Machine, MachinePool } from '../../kinds/index.ts';
import type { InfrastructureMachine, InfrastructurePool } from '../../kinds/infrastructure.ts';
import { labelValueOf } from '../../kinds/rules/names.ts';
import { type Notice, withNotice } from '../instance-events/notice.ts';
import { withController } from '../machines/ownership.ts';
import { planPoolMachines } from './machines.ts';

const pool = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachinePool',
  metadata: { namespace: 'default', name: 'p', uid: 'pool' },
  spec: {
    clusterName: 'red',
    template: {
      metadata: { labels: { tier: 'web', 'cluster.x-k8s.io/control-plane': '' }, annotations: { note: 'x' } },
      spec: { deletion: { nodeDrainTimeoutSeconds: 30, nodeDeletionTimeoutSeconds: 10 } },
    },
  },
} as unknown as MachinePool;

const poolMeta = {
  uid: 'pool',
  kind: 'AWSMachinePool',
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  name: 'p',
};
const instance = (name: string, owner?: string): InfrastructureMachine =>
  ({
    kind: 'AWSMachine',
    metadata: {
      namespace: 'default',
      name,
      labels: { 'cluster.x-k8s.io/cluster-name': 'red' },
      ownerReferences: [{ ...poolMeta, controller: true }, ...(owner ? [{ uid: owner, kind: 'Machine' }] : [])],
    },
    spec: { providerID: `aws:///a/${name}` },
  }) as unknown as InfrastructureMachine;

const plan = (listed: string[], infrastructureMachines: InfrastructureMachine[], machines: Machine[]) =>
  planPoolMachines({
    pool,
    infrastructure: { spec: { providerIDList: listed.map((name) => `aws:///a/${name}`) } } as InfrastructurePool,
    infrastructureMachines,
    machines,
  });

const made = (name: string): Machine => {
  const [first] = plan([name], [instance(name)], []);
  if (first?.do !== 'make-machine') throw new Error('no machine is made');
  return { ...first.machine, metadata: { ...first.machine.metadata, uid: `uid-${name}` } };
};

describe('the Machines of a pool', () => {
  it("are found by the hash of the pool's name if that is too long for a label", () => {
    const [first] = planPoolMachines({
      pool: { ...pool, metadata: { ...pool.metadata, name: 'p'.repeat(64) } },
      infrastructure: { spec: { providerIDList: ['aws:///a/i-1'] } } as InfrastructurePool,
      infrastructureMachines: [instance('i-1')],
      machines: [],
    });
    expect(first).toMatchObject({
      machine: { metadata: { labels: { 'cluster.x-k8s.io/pool-name': labelValueOf('p'.repeat(64)) } } },
    });
  });

  it('get readiness gates and waiting time from the template, also if these change, and keep their own taints', () => {
    const machine = made('i-1');
    const fields = {
      minReadySeconds: 60,
      readinessGates: [{ conditionType: 'example.com/Licensed' }],
    };
    const changed = structuredClone(pool);
    Object.assign(changed.spec.template.spec, fields);
    const facts = {
      infrastructure: { spec: { providerIDList: ['aws:///a/i-1'] } } as InfrastructurePool,
      infrastructureMachines: [instance('i-1', machine.metadata.uid)],
    };
    const [first] = planPoolMachines({ ...facts, pool: changed, machines: [] });
    expect(first).toMatchObject({ do: 'make-machine', machine: { spec: fields } });
    const [update] = planPoolMachines({ ...facts, pool: changed, machines: [machine] });
    expect(update).toMatchObject({ do: 'update-machine', machine: { spec: fields } });

    const waiting = update?.do === 'update-machine' ? update.machine : machine;
    expect(planPoolMachines({ ...facts, pool: changed, machines: [waiting] })).toEqual([]);
    const [back] = planPoolMachines({ ...facts, pool, machines: [waiting] });
    expect(back?.do === 'update-machine' && back.machine.spec).toEqual(machine.spec);

    const taints = [{ key: 'gpu', effect: 'NoSchedule', propagation: 'Always' } as const];
    const tainted = { ...machine, spec: { ...machine.spec, taints } };
    expect(planPoolMachines({ ...facts, pool, machines: [tainted] })).toEqual([]);
  });

  it('are created for the instances of its group', () => {
    const machine = made('i-1');
    expect(machine.metadata).toMatchObject({
      name: 'i-1',
      labels: { tier: 'web', 'cluster.x-k8s.io/cluster-name': 'red', 'cluster.x-k8s.io/pool-name': 'p' },
      annotations: { note: 'x' },
      ownerReferences: [{ kind: 'MachinePool', name: 'p', controller: true }],
    });
    expect(machine.spec).toMatchObject({
      bootstrap: { dataSecretName: '' },
      infrastructureRef: { kind: 'AWSMachine', name: 'i-1' },
      deletion: { nodeDrainTimeoutSeconds: 30 },
    });
  });

  it('never belong to the control plane, whatever the template says', () => {
    expect(made('i-1').metadata.labels).not.toHaveProperty('cluster.x-k8s.io/control-plane');
  });

  it('are unchanged while nothing changes', () => {
    expect(plan(['i-1'], [instance('i-1', 'uid-i-1')], [made('i-1')])).toEqual([]);
  });

  it('get an empty secret name if they have no bootstrap data, as in upstream', () => {
    const { spec, ...rest } = made('i-1');
    const [first] = plan(['i-1'], [instance('i-1', 'uid-i-1')], [{ ...rest, spec: { ...spec, bootstrap: {} } }]);
    expect(first).toEqual({ do: 'update-machine', machine: made('i-1') });
  });

  it('become the controllers of their infrastructure, which the pool still owns', () => {
    const machine = made('i-1');
    const operations = plan(['i-1'], [instance('i-1')], [machine]);
    expect(operations.map((one) => one.do)).toEqual(['own-infrastructure']);
    const owners = withController(instance('i-1'), machine).metadata.ownerReferences;
    expect(owners).toMatchObject([{ uid: 'pool' }, { uid: 'uid-i-1', controller: true }]);
    expect(owners?.[0]).not.toHaveProperty('controller');
  });

  it.each(['a-copy', 'z-copy'])(
    'own their instance rather than the copy %s, if nothing controls the instance',
    (name) => {
      const machine = made('i-1');
      const copy = { ...machine, metadata: { ...machine.metadata, name, uid: `uid-${name}` } };
      for (const machines of [
        [copy, machine],
        [machine, copy],
      ])
        expect(plan(['i-1'], [instance('i-1')], machines)).toMatchObject([{ do: 'own-infrastructure', machine }]);
    },
  );

  it('are deleted when their instances have left the group, and when their infrastructure is gone', () => {
    const operations = plan([], [instance('i-1', 'uid-i-1')], [made('i-1'), made('i-2')]);
    expect(operations).toEqual([
      { do: 'delete-machine', machine: made('i-2'), message: 'Deleted Machine i-2 because its AWSMachine is gone' },
      {
        do: 'delete-machine',
        machine: made('i-1'),
        message: 'Deleted Machine i-1 because its instance left the group',
      },
    ]);
  });

  it('are deleted when a health check has found them unhealthy', () => {
    const conditions = ['HealthCheckSucceeded', 'OwnerRemediated'].map((type) => ({ type, status: 'False' }));
    const machine = { ...made('i-1'), status: { conditions } } as unknown as Machine;
    expect(plan(['i-1'], [instance('i-1', 'uid-i-1')], [machine])).toEqual([
      { do: 'delete-machine', machine, message: 'Deleted Machine i-1 because it is unhealthy' },
    ]);
  });

  it('are deleted when the cloud reclaims their instances, and not for other notices', () => {
    const noticed = (notice: Notice) => withNotice(made('i-1'), notice) as Machine;
    const at = '2026-01-01T00:00:00Z';
    const planned = (notice: Notice) => plan(['i-1'], [instance('i-1', 'uid-i-1')], [noticed(notice)]);
    const machine = noticed({ reason: 'SpotInterruption', at });
    const message = 'Deleted Machine i-1 because its spot instance is being reclaimed';
    expect(planned({ reason: 'SpotInterruption', at })).toEqual([{ do: 'delete-machine', machine, message }]);
    expect(planned({ reason: 'RebalanceRecommendation', at })).toEqual([]);
    expect(planned({ reason: 'ScheduledMaintenance', at })).toEqual([]);
  });

  it('are not deleted twice', () => {
    const machine = made('i-1');
    const deleting = { ...machine, metadata: { ...machine.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(plan([], [instance('i-1')], [deleting])).toEqual([]);
  });

  it('are not created for instances that have left the group meanwhile', () => {
    expect(plan([], [instance('i-1')], [])).toEqual([{ do: 'forget-infrastructure', infrastructure: instance('i-1') }]);
  });

  it('show the version of their kubelets and follow the template of the pool', () => {
    const machine = made('i-1');
    const joined = {
      ...machine,
      metadata: { ...machine.metadata, labels: { ...machine.metadata.labels, tier: 'old' } },
      status: { nodeInfo: { kubeletVersion: 'v1.34.1' } },
    } as unknown as Machine;
    const [first] = plan(['i-1'], [instance('i-1', 'uid-i-1')], [joined]);
    expect(first).toMatchObject({ do: 'update-machine', machine: { spec: { version: 'v1.34.1' } } });
    expect(first).toMatchObject({ machine: { metadata: { labels: { tier: 'web' } } } });
  });
});
