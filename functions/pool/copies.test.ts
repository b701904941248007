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

  it('gives no instance to a Machine of another cluster that has its name', async () => {
    await w.begin();
    await putInstances(w, ['i-1']);
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'p-i-1' };
    await w.put({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...KEY, name: 'p-i-1', labels: { 'cluster.x-k8s.io/cluster-name': 'blue' } },
      spec: { clusterName: 'blue', bootstrap: { dataSecretName: '' }, infrastructureRef },
    } as Machine);
    await w.machines();
    const instance = await w.objects.get(kinds.awsMachine, { ...KEY, name: 'p-i-1' });
    expect(instance?.metadata.ownerReferences?.map(({ kind }) => kind)).toEqual(['AWSMachinePool']);
    expect(instance?.metadata.labels?.['cluster.x-k8s.io/cluster-name']).toBe('red');
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
