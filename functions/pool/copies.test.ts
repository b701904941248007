/** Copies of MachinePools and of their Machines, as a user makes them with `kubectl get -o yaml`. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { readPool } from './read-pool.ts';
import { KEY, type PoolWorld, poolObjects, putInstances, usePoolWorlds } from './test-world.ts';

const makeWorld = usePoolWorlds();

let w: PoolWorld;
beforeEach(async () => {
  w = await makeWorld();
});

const machineNames = async () => {
  const all = await w.objects.listOfCluster(kinds.machine, 'default', 'red');
  return all.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
};

describe('the reconciliation of a MachinePool', () => {
  it.each(['a-copy', 'z-copy'])(
    'creates no instance for the copy %s of a Machine, and deletes the copy',
    async (name) => {
      await w.begin();
      await putInstances(w, ['i-1']);
      await w.machines();
      const original = (await w.objects.get(kinds.machine, { ...KEY, name: 'p-i-1' })) as Machine;
      const { labels, annotations, ownerReferences, finalizers } = original.metadata;
      const metadata = { ...KEY, name, labels, annotations, ownerReferences, finalizers };
      await w.put({ ...original, metadata } as KubeObject);
      await w.machines();
      const owners = (await w.objects.get(kinds.awsMachine, { ...KEY, name: 'p-i-1' }))?.metadata.ownerReferences;
      expect(owners?.filter(({ controller }) => controller).map((owner) => owner.name)).toEqual(['p-i-1']);
      expect(await machineNames()).toEqual(['p-i-1']);
    },
  );

  it.each(['a-copy', 'z-copy'])(
    'gives no parts of the pool to the copy %s, even if they have lost their owners',
    async (name) => {
      await w.begin();
      await w.bootstrap();
      for (const kind of [kinds.awsMachinePool, kinds.kubeadmConfig])
        await w.objects.mutate(kind as typeof kinds.kubeadmConfig, KEY, ({ metadata, ...rest }) => ({
          ...rest,
          metadata: { ...metadata, ownerReferences: [] },
        }));
      const [copy] = await Promise.all(poolObjects(name).map(w.put));
      const input = w.inputOf(copy);
      expect(await w.beginOf(input)).toMatchObject({ proceed: false });
      expect(await readPool(w.objects, input.pool)).toMatchObject({ infrastructure: null, config: null });
      const { infrastructure, config, taken } = (await readPool(w.objects, w.input.pool)) ?? {};
      expect([infrastructure?.metadata.name, config?.metadata.name, taken]).toEqual(['p', 'p', undefined]);
    },
  );

  it.each([
    ['another cluster', { clusterName: 'blue' }, 'Cluster blue'],
    ['a MachineSet', { clusterName: 'red', owner: 'workers' }, 'MachineSet workers'],
  ])('gives no instance to a Machine of %s that has its name, and says so', async (_what, of, named) => {
    await w.begin();
    await putInstances(w, ['i-1', 'i-2']);
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'p-i-1' };
    const { clusterName, owner } = of as { clusterName: string; owner?: string };
    const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: owner, uid: 'u', controller: true };
    await w.put({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        ...{ ...KEY, name: 'p-i-1', labels: { 'cluster.x-k8s.io/cluster-name': clusterName } },
        ...(owner === undefined ? {} : { ownerReferences: [set] }),
      },
      spec: { clusterName, bootstrap: { dataSecretName: '' }, infrastructureRef },
    } as Machine);
    await w.machines();
    const instance = await w.objects.get(kinds.awsMachine, { ...KEY, name: 'p-i-1' });
    expect(instance?.metadata.ownerReferences?.map(({ kind }) => kind)).toEqual(['AWSMachinePool']);
    expect(instance?.metadata.labels?.['cluster.x-k8s.io/cluster-name']).toBe('red');
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.filter(({ reason }) => reason === 'FailedCreate')).toMatchObject([
      {
        type: 'Warning',
        message: `AWSMachine p-i-1 gets no Machine, because Machine p-i-1 of ${named} has its name; delete that Machine or the instance`,
        involvedObject: { kind: 'MachinePool', name: 'p' },
      },
    ]);

    // The Machine of the other instance was news; the next time, nothing is.
    expect(w.touched).toEqual(['red']);
    await w.machines();
    expect(w.touched).toEqual(['red']);
  });

  it('reports many instances whose Machines have the names of others with a single event', async () => {
    await w.begin();
    const ids = ['i-1', 'i-2', 'i-3'];
    await putInstances(w, ids);
    for (const id of ids) {
      const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: `p-${id}` };
      const metadata = { ...KEY, name: `p-${id}`, labels: { 'cluster.x-k8s.io/cluster-name': 'blue' } };
      const spec = { clusterName: 'blue', bootstrap: { dataSecretName: '' }, infrastructureRef };
      await w.put({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata, spec } as Machine);
    }
    await w.machines();
    expect(w.touched).toEqual([]);
    expect((await w.objects.list(kinds.event, 'default')).map(({ message }) => message)).toEqual([
      'AWSMachine p-i-1 gets no Machine, because Machine p-i-1 of Cluster blue has its name; delete that Machine or the instance (and 2 more)',
    ]);
  });

  it("removes a copy of a pool, but none of the pool's parts", async () => {
    await w.begin();
    await w.bootstrap();
    const before = await Promise.all([w.infrastructure(), w.objects.get(kinds.kubeadmConfig, KEY), w.secret()]);
    const [{ metadata, ...rest }] = poolObjects('copy') as [KubeObject];
    // As in what `kubectl get -o yaml` shows of the pool.
    const copy = await w.put({ ...rest, metadata: { ...metadata, finalizers: ['machinepool.cluster.x-k8s.io'] } });
    await w.objects.delete(kinds.machinePool, { ...KEY, name: 'copy' });
    const input = w.inputOf(copy);
    expect(await w.beginOf(input)).toMatchObject({ proceed: true, removal: true });
    expect(await readPool(w.objects, input.pool)).toMatchObject({ infrastructure: null, config: null });
    await w.remove(input);
    expect(await w.objects.get(kinds.machinePool, { ...KEY, name: 'copy' })).toBeUndefined();
    const after = await Promise.all([w.infrastructure(), w.objects.get(kinds.kubeadmConfig, KEY), w.secret()]);
    expect(after).toEqual(before);
  });
});
