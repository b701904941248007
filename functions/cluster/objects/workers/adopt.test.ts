import { beforeAll, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, type World } from '../test-world.ts';

const database = useTestDatabase();

// The tests run in order, with the workers of a deployment and a user's changes to their metadata.
describe('workers and the set that selects them', () => {
  let w: World;
  let input: ConvergeInput;
  const change = (machine: Machine, metadata: Partial<Machine['metadata']>) =>
    w.objects.mutate(kinds.machine, { namespace: 'default', name: machine.metadata.name }, (current) => ({
      ...current,
      metadata: { ...current.metadata, ...metadata },
    }));
  const workers = async (): Promise<Machine[]> => {
    await w.steps.workers(input, context);
    await w.steps.report(input, context);
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    return machines.filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/set-name']);
  };
  const counted = async () => (await w.objects.list(kinds.machineSet, 'default')).map(({ status }) => status?.replicas);
  const first = (machines: readonly Machine[]): Machine => {
    const [machine] = machines;
    if (!machine) throw new Error('there is no machine');
    return machine;
  };
  let machine: Machine;

  beforeAll(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    machine = first(await workers());
  });

  it('an orphaned machine is adopted, and no other is created in its place', async () => {
    await change(machine, { ownerReferences: [] });
    const after = await workers();

    expect(after).toHaveLength(3);
    const found = after.find(({ metadata }) => metadata.name === machine.metadata.name);
    expect(found?.metadata.ownerReferences).toEqual(machine.metadata.ownerReferences);
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.find(({ reason }) => reason === 'SuccessfulAdopt')?.message).toBe(
      `Adopted Machine "${machine.metadata.name}"`,
    );
  });

  it('a machine that is no longer selected is replaced, and keeps its owner', async () => {
    await change(machine, { labels: { ...machine.metadata.labels, 'machine-template-hash': 'quarantine' } });
    const after = await workers();

    expect(after).toHaveLength(4);
    expect(await workers()).toHaveLength(4);
    expect(after.every(({ metadata }) => metadata.ownerReferences?.length === 1)).toBe(true);
    expect(await counted()).toEqual([3]);
  });

  it('a machine that is selected again counts again, and one machine too many is deleted', async () => {
    await change(machine, { labels: { ...machine.metadata.labels } });
    await workers();

    const left = (await workers()).filter(({ metadata }) => !metadata.deletionTimestamp);
    expect(left).toHaveLength(3);
  });

  it('a set without an owner gets the deployment that selects it, or else the Cluster, as its owner', async () => {
    const [set] = await w.objects.list(kinds.machineSet, 'default');
    if (!set) throw new Error('there is no set');
    const key = { namespace: 'default', name: set.metadata.name };
    await w.objects.mutate(kinds.machineSet, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, ownerReferences: [] },
    }));
    const { template } = set.spec;
    const alone = { clusterName: 'quickstart', replicas: 0, selector: {}, template: { ...template, metadata: {} } };
    await w.apply({
      apiVersion: set.apiVersion,
      kind: 'MachineSet',
      metadata: { name: 'alone', namespace: 'default' },
      spec: alone,
    } as never);
    await workers();

    const ownersOf = async (name: string) =>
      (await w.objects.get(kinds.machineSet, { namespace: 'default', name }))?.metadata.ownerReferences?.map(
        ({ kind, controller }) => [kind, controller === true],
      );
    expect(await ownersOf(set.metadata.name)).toEqual([['MachineDeployment', true]]);
    expect(await ownersOf('alone')).toEqual([['Cluster', false]]);
    expect(await w.objects.list(kinds.machineSet, 'default')).toHaveLength(2);
  });
});
