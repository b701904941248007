import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';

import { condition, makeHealthWorld, nodeOf } from './test-health.ts';

describe('a MachineHealthCheck', () => {
  let w: Awaited<ReturnType<typeof makeHealthWorld>>;
  beforeEach(async () => {
    w = await makeHealthWorld();
  });

  it('reports healthy machines, their number, and its cluster as owner', async () => {
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

  it('marks an unhealthy machine for its owner, records one event, and requests the pass that remediates', async () => {
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

  it('marks other machines if one cannot be written', async () => {
    const { update } = w.storage;
    w.storage.update = async (resource, object, ...rest) => {
      if (object.metadata.name === 'a') throw new Error('Machine a is broken');
      return update(resource, object, ...rest);
    };
    for (const name of ['a', 'b']) w.nodes.set(name, nodeOf(name, 'Unknown'));

    await expect(w.look()).rejects.toThrow('Machine a is broken');
    expect(await w.condition('b', 'OwnerRemediated')).toMatchObject({ reason: 'WaitingForRemediation' });
    expect(w.touched()).toBe(1);
  });

  it.each([
    { reason: 'the cluster did not answer', seen: undefined },
    { reason: 'the answer contained no nodes', seen: [] },
  ])('evaluates nothing when $reason', async ({ seen }) => {
    await w.judge(seen);
    expect((await w.check()).status).toBeUndefined();
    expect(await w.condition('a', 'HealthCheckSucceeded')).toBeUndefined();
  });

  it('does not remediate when too many are unhealthy, and gives the reason', async () => {
    w = await makeHealthWorld({ triggerIf: { unhealthyLessThanOrEqualTo: 1 } });
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

  it.each([{ unhealthyInRange: '[0-99999999999]' }, { unhealthyLessThanOrEqualTo: '99999999999%' }])(
    'allows as many remediations as its status can represent: %j',
    async (triggerIf) => {
      w = await makeHealthWorld({ triggerIf });
      await w.look();
      expect((await w.check()).status).toMatchObject({ currentHealthy: 3, remediationsAllowed: 2147483647 });
    },
  );

  it('does not remediate until the fleet brake is released', async () => {
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

  it('records when a machine will become unhealthy', async () => {
    const late = new Date('2026-01-01T00:08:00Z');
    const slow = { ...condition('Ready', 'Unknown'), lastTransitionTime: late };
    w.nodes.set('c', { metadata: { name: 'c' }, status: { conditions: [slow] } });
    await w.look();
    expect((await w.check()).metadata.annotations).toEqual({ 'windlass.dev/next-check': '2026-01-01T00:13:01Z' });
    w.nodes.set('c', nodeOf('c', 'True'));
    await w.look();
    expect((await w.check()).metadata.annotations ?? {}).toEqual({});
  });

  it('evaluates only the machine that holds the lock before the control plane is initialized', async () => {
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
