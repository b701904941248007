import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { LABEL } from '../../../../shared/plan/labels.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { annotated, beginSettled, is, type SettledCluster, withStatus } from '../finish/test-settled.ts';
import { conditionOf, context, makeWorld, type World } from '../test-world.ts';

const database = useTestDatabase();

describe('a machine that waits for its minReadySeconds', () => {
  let w: World;
  let input: ConvergeInput;
  let its: SettledCluster;
  let name: string;
  beforeEach(async () => {
    w = await makeWorld(database());
    ({ input, its } = await beginSettled(w));
    const worker = (await its.machines()).find(({ metadata }) => metadata.labels?.[LABEL.deploymentName]);
    name = worker?.metadata.name ?? '';
    await its.settle(name);
  });

  const setWait = (minReadySeconds: number) =>
    its.change(kinds.machine, name, (current) => ({ ...current, spec: { ...current.spec, minReadySeconds } }));
  const setDeployment = (available: 'True' | 'False') =>
    its.change(kinds.machineDeployment, 'quickstart-md-0', withStatus({ conditions: [is('Available', available)] }));
  const available = async () => {
    const machine = (await w.objects.get(kinds.machine, { namespace: 'default', name })) as Machine;
    return conditionOf(machine, 'Available')?.status;
  };

  it('counts as available in the pass that starts when they are over', async () => {
    await setWait(60);
    w.clock.advance(20);
    expect(await its.finish()).toBe(40);
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
    expect(await its.finish()).toBe(0);
    const dueAt = new Date('2026-01-01T01:00:00Z');
    expect(await w.work.due(new Date(dueAt.getTime() - 1000))).toEqual([]);
    expect(await w.work.due(dueAt)).toHaveLength(1);
  });

  it('is waited for by a deployment that lacks nothing else, without retries meanwhile', async () => {
    await setWait(300);
    await Promise.all([setDeployment('False'), its.setCluster('False')]);
    expect([await its.finish(), await its.finish(), await its.finish()]).toEqual([300, 300, 300]);
    w.clock.advance(290);
    expect(await its.finish()).toBe(10);
  });

  it('does not defer other retries', async () => {
    await setWait(3);
    await its.change(kinds.cluster, 'quickstart', withStatus({ conditions: [is('Available', 'False')] }));
    expect([await its.finish(), await its.finish(), await its.finish()]).toEqual([1, 2, 3]);
  });

  it('does not become available while it is paused', async () => {
    await setWait(60);
    await its.change(kinds.machine, name, annotated({ 'cluster.x-k8s.io/paused': '' }));
    expect(await its.finish()).toBe(0);
    w.clock.advance(60);
    await w.steps.workers(input, context);
    expect(await available()).toBe('False');
  });
});
