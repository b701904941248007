import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { newBinding, withFaults } from '../../../../shared/plan/addons/binding.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();
const KEY = { namespace: 'default', name: 'quickstart' };

describe('the wait of a pass that has machines in progress', () => {
  let w: World;
  let input: ConvergeInput;
  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
  });

  const waits = async (): Promise<number> => {
    await w.work.begin(input.cluster, input.holder, 60);
    return (await w.steps.finish(input, context)).waitSeconds;
  };
  const lease = (seconds: number) =>
    Promise.all(w.started.provision.map((machine) => w.work.beginMachine(machine, 'provision', seconds)));
  const claim = (type: string) =>
    w.objects.mutate(kinds.cluster, KEY, (current: Cluster) => {
      const others = current.status?.conditions?.filter((condition) => condition.type !== type) ?? [];
      const lastTransitionTime = '2026-01-01T00:00:00Z';
      const conditions = [...others, { type, status: 'True', reason: type, message: '', lastTransitionTime }];
      return { ...current, status: { ...current.status, conditions } as Cluster['status'] };
    });
  const sayAbsent = async () => {
    const machines = await w.objects.listOfCluster(kinds.machine, KEY.namespace, KEY.name);
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const message = 'Waiting for a Node with spec.providerID i-1 to exist';
    const absent = { type: 'NodeReady', status: 'Unknown', reason: 'InspectionFailed', message, lastTransitionTime };
    for (const { metadata } of machines)
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (current: Machine) => {
        const others = current.status?.conditions?.filter(({ type }) => type !== 'NodeReady') ?? [];
        return { ...current, status: { ...current.status, conditions: [...others, absent] } as Machine['status'] };
      });
  };

  it('is short if one of the machines has no execution', async () => {
    expect(await waits()).toBe(30);
    await lease(120);
    const [first] = w.started.provision;
    if (first) await w.work.removeMachine(first);
    expect(await waits()).toBe(30);
  });

  it('is long while all executions run, which request passes themselves', async () => {
    await lease(120);
    expect(await waits()).toBe(240);
  });

  it('is long while one execution watches for the nodes of all machines', async () => {
    for (const machine of w.started.provision) await w.work.joinNodeWatch(machine, 'watch', 10);
    expect(await waits()).toBe(240);
    w.clock.advance(121);
    expect(await waits()).toBe(120);
  });

  it('is short while a machine only waits for its next attempt', async () => {
    await lease(20);
    expect(await waits()).toBe(30);
  });

  it('is short once the API server responds, until the pass has no more work in the cluster', async () => {
    await lease(120);
    await sayAbsent();
    expect(await waits()).toBe(30);
    await claim('ControlPlaneInitialized');
    await claim('RemoteConnectionProbe');
    expect(await waits()).toBe(240);
    const cluster = (await w.objects.get(kinds.cluster, KEY)) as Cluster;
    const fault = { cni: { reason: 'ApplyFailed', message: 'no such kind' } } as const;
    await w.objects.ensure(kinds.clusterResourceSetBinding, withFaults(newBinding(cluster), fault));
    expect(await waits()).toBe(30);
  });

  it('is short while the control plane has another operation to do', async () => {
    await lease(120);
    await sayAbsent();
    await claim('ControlPlaneInitialized');
    await claim('RemoteConnectionProbe');
    await w.objects.mutate(kinds.kubeadmControlPlane, { ...KEY, name: 'quickstart-control-plane' }, (current) => ({
      ...current,
      status: { ...current.status, upToDateReplicas: 0 } as (typeof current)['status'],
    }));
    expect(await waits()).toBe(30);
  });

  it('is short for a machine that was deleted after its status was reported', async () => {
    const [first] = await w.objects.listOfCluster(kinds.machine, KEY.namespace, KEY.name);
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const ready = { type: 'NodeReady', status: 'True', reason: 'NodeReady', message: '', lastTransitionTime };
    for (const { metadata } of await w.objects.listOfCluster(kinds.machine, KEY.namespace, KEY.name))
      await w.objects.mutate(kinds.machine, { ...KEY, name: metadata.name }, (current: Machine) => ({
        ...current,
        status: { ...current.status, phase: 'Running', conditions: [ready] } as Machine['status'],
      }));
    if (first) await w.objects.delete(kinds.machine, first);
    expect(await waits()).toBe(30);
  });
});
