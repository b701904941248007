import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { useTestDatabase } from '../test-database.ts';
import { beginCluster, conditionOf, context, makeWorld, pass, type World } from './test-world.ts';

const database = useTestDatabase();
const START = '2026-01-01T00:00:00Z';

const is = (type: string, status: 'True' | 'False' = 'True') => ({
  ...{ type, status, reason: type, message: '', lastTransitionTime: START },
});

describe('a machine that waits for its minReadySeconds', () => {
  let w: World;
  let input: ConvergeInput;
  let name: string;
  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
    await settle();
  });

  const change = <T extends KubeObject>(resource: ResourceDefinition<T>, of: string, to: (current: T) => T) =>
    w.objects.mutate(resource, { namespace: 'default', name: of }, to);
  const withStatus =
    (status: object) =>
    <T extends KubeObject & { status?: object }>(current: T): T => ({
      ...current,
      status: { ...current.status, ...status },
    });

  /** All machines are Ready, and all of them Available except one worker. */
  const settle = async (): Promise<void> => {
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    const waits = machines.find(({ metadata }) => metadata.labels?.[LABEL.deploymentName]);
    name = waits?.metadata.name ?? '';
    for (const { metadata } of machines) {
      const conditions = [is('NodeReady'), is('Ready'), is('Available', metadata.name === name ? 'False' : 'True')];
      await change(kinds.machine, metadata.name, withStatus({ phase: 'Running', conditions }));
    }
    const counts = { replicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas: 3 };
    for (const resource of [kinds.kubeadmControlPlane, kinds.machineDeployment] as readonly ResourceDefinition[])
      for (const { metadata } of await w.objects.listOfCluster(resource, 'default', 'quickstart'))
        await change(resource, metadata.name, withStatus({ ...counts, conditions: [is('Available')] }));
    await setCluster('True');
  };
  const setCluster = (available: 'True' | 'False') => {
    const types = ['ControlPlaneInitialized', 'RemoteConnectionProbe', 'InfrastructureReady', 'ControlPlaneAvailable'];
    const conditions = [...types.map((type) => is(type)), is('Available', available)];
    return change(kinds.cluster, 'quickstart', withStatus({ conditions }));
  };
  const setWait = (minReadySeconds: number) =>
    change(kinds.machine, name, (current) => ({ ...current, spec: { ...current.spec, minReadySeconds } }));
  const setDeployment = (available: 'True' | 'False') =>
    change(kinds.machineDeployment, 'quickstart-md-0', withStatus({ conditions: [is('Available', available)] }));
  const finish = async (): Promise<number> => {
    await w.work.begin(input.cluster, input.holder, 60);
    return (await w.steps.finish(input, context)).waitSeconds;
  };
  const available = async () => {
    const machine = (await w.objects.get(kinds.machine, { namespace: 'default', name })) as Machine;
    return conditionOf(machine, 'Available')?.status;
  };

  it('starts a pass when they are over, and counts as available in it', async () => {
    await setWait(60);
    w.clock.advance(20);
    expect(await finish()).toBe(40);
    await w.steps.workers(input, context);
    expect(await available()).toBe('False');

    w.clock.advance(40);
    await w.steps.workers(input, context);
    await w.steps.report(input, context);
    expect(await available()).toBe('True');
    const deployment = await w.objects.get(kinds.machineDeployment, { namespace: 'default', name: 'quickstart-md-0' });
    expect(deployment?.status).toMatchObject({ availableReplicas: deployment?.spec.replicas });
  });

  it('leaves a long wait to the sweep', async () => {
    await setWait(3600);
    await w.work.touch(input.cluster);
    expect(await finish()).toBe(0);
    const dueAt = new Date('2026-01-01T01:00:00Z');
    expect(await w.work.due(new Date(dueAt.getTime() - 1000))).toEqual([]);
    expect(await w.work.due(dueAt)).toHaveLength(1);
  });

  it('is awaited by a deployment that lacks only it, without attempts before', async () => {
    await setWait(300);
    await Promise.all([setDeployment('False'), setCluster('False')]);
    expect([await finish(), await finish(), await finish()]).toEqual([300, 300, 300]);
    w.clock.advance(290);
    expect(await finish()).toBe(10);
  });

  it('is not awaited longer than the next attempt at something else', async () => {
    await setWait(3);
    await change(kinds.cluster, 'quickstart', withStatus({ conditions: [is('Available', 'False')] }));
    expect([await finish(), await finish(), await finish()]).toEqual([1, 2, 3]);
  });

  it('does not become available while it is paused', async () => {
    await setWait(60);
    await change(kinds.machine, name, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, annotations: { ...metadata.annotations, 'cluster.x-k8s.io/paused': '' } },
    }));
    expect(await finish()).toBe(0);
    w.clock.advance(60);
    await w.steps.workers(input, context);
    expect(await available()).toBe('False');
  });
});
