import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, type World } from '../test-world.ts';

const database = useTestDatabase();

const KEY = { namespace: 'default', name: 'quickstart-md-0' };
const FAILURE = { Error: 'Error', Cause: JSON.stringify({ errorMessage: 'it is broken' }) };

describe('a deletion while the infrastructure of the cluster is not ready', () => {
  let w: World;
  let input: ConvergeInput;

  const machines = () => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const workers = async () => (await machines()).filter(({ metadata }) => metadata.name.startsWith(KEY.name));
  const namesOf = (found: readonly { metadata: { name: string } }[]) =>
    found.map(({ metadata }) => metadata.name).sort();
  const removed = () => w.started.remove.map(({ name }) => name).sort();
  const mutateCluster = (change: (cluster: Cluster) => Cluster) =>
    w.objects.mutate(kinds.cluster, input.cluster, change);

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await w.steps.machines(input, context);
    await w.steps.report(input, context);
  });

  const passes = {
    concludeWhileUnready: () => w.steps.concludeWhileUnready(input, context),
    fail: () => w.steps.fail({ ...input, failure: FAILURE }, context),
  };

  it.each(Object.entries(passes))('removes a Machine: %s', async (_, end) => {
    const [first] = await workers();
    await w.objects.delete(kinds.machine, first ?? KEY);
    await end();

    expect(removed()).toEqual([first?.metadata.name]);
    expect(await machines()).toHaveLength(6);
  });

  it.each(Object.entries(passes))('removes a MachineDeployment with its set and machines: %s', async (_, end) => {
    await w.objects.delete(kinds.machineDeployment, KEY);
    await end();

    const found = await workers();
    expect(found).toHaveLength(3);
    expect(removed()).toEqual(namesOf(found));
    for (const { metadata } of found) {
      await w.objects.mutate(kinds.machine, metadata as typeof KEY, (now) => ({
        ...now,
        metadata: { ...now.metadata, finalizers: [] },
      }));
    }
    await end();
    expect(await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart')).toEqual([]);
    await end();
    expect(await w.objects.get(kinds.machineDeployment, KEY)).toBeUndefined();
  });

  it('does not change the machines of other MachineDeployments', async () => {
    await w.objects.mutate(kinds.machineDeployment, KEY, (now) => ({ ...now, spec: { ...now.spec, replicas: 9 } }));
    const before = w.started.provision.length;
    await passes.concludeWhileUnready();

    expect(await workers()).toHaveLength(3);
    expect([w.started.provision.length, removed()]).toEqual([before, []]);
  });

  it('removes nothing while the Cluster is paused', async () => {
    await w.objects.delete(kinds.machineDeployment, KEY);
    await mutateCluster((now) => ({ ...now, spec: { ...now.spec, paused: true } }));
    await passes.fail();

    expect(removed()).toEqual([]);
    expect((await workers()).filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([]);
  });

  it('does not hide the failure of the pass if a machine cannot be removed', async () => {
    const [first] = await workers();
    await w.objects.delete(kinds.machine, first ?? KEY);
    w.started.remove.push = () => {
      throw new Error('executions cannot be started');
    };

    await passes.fail();
    expect((await w.work.get(input.cluster))?.attempts).toBe(1);
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.find(({ reason }) => reason === 'ReconcileFailed')?.message).toContain('it is broken');
    await expect(passes.concludeWhileUnready()).rejects.toThrow('executions cannot be started');
  });
});
