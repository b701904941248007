import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { releaseAddons } from './release.ts';
import { makeAddonsWorld, manifest, NAMESPACE } from './test-world.ts';

let w: Awaited<ReturnType<typeof makeAddonsWorld>>;
beforeEach(async () => {
  w = await makeAddonsWorld();
});

const there = async (name: string) =>
  (await w.workload.call('GET', `/api/v1/namespaces/default/configmaps/${name}`)).body.data?.value;
const change = (name: string, data: Record<string, string>) =>
  w.objects.mutate(kinds.configMap, { namespace: NAMESPACE, name }, (current) => ({ ...current, data }));
const release = async (cluster: string) => {
  const found = await w.objects.get(kinds.cluster, { namespace: NAMESPACE, name: cluster });
  if (found) await releaseAddons(w.objects, found);
};

describe('ClusterResourceSets', () => {
  it('are applied, owned and recorded as by upstream', async () => {
    await w.putConfigMap('cni', { 'b.yaml': manifest('b', 'two'), 'a.yaml': manifest('a', 'one') });
    const set = await w.addSet('cni', {});
    await w.pass();

    expect([await there('a'), await there('b')]).toEqual(['one', 'two']);
    const owner = { apiVersion: set.apiVersion, kind: 'ClusterResourceSet', name: 'cni', uid: set.metadata.uid };
    expect(await w.bindingOf('red')).toMatchObject({
      metadata: { ownerReferences: [owner] },
      spec: {
        clusterName: 'red',
        bindings: [
          {
            clusterResourceSetName: 'cni',
            resources: [
              { kind: 'ConfigMap', name: 'cni', applied: true, hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
            ],
          },
        ],
      },
    });
    const source = await w.objects.get(kinds.configMap, { namespace: NAMESPACE, name: 'cni' });
    expect(source?.metadata.ownerReferences).toEqual([owner]);
    const after = await w.setOf('cni');
    expect(after?.metadata.finalizers).toEqual(['addons.cluster.x-k8s.io']);
    expect(after?.status).toMatchObject({
      observedGeneration: 1,
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'ResourcesApplied', status: 'True', reason: 'Applied' }),
        expect.objectContaining({ type: 'Paused', status: 'False' }),
      ]),
      deprecated: { v1beta1: { conditions: [{ type: 'ResourcesApplied', status: 'True' }] } },
    });
  });

  it('are applied even if another one cannot be written', async () => {
    await w.putConfigMap('cni', { 'a.yaml': manifest('a', 'one') });
    for (const name of ['broken', 'cni']) await w.addSet(name, {});
    const { mutate } = w.objects;
    w.objects.mutate = async (resource, key, ...rest) => {
      const { name } = 'metadata' in key ? key.metadata : key;
      if (name === 'broken') throw new Error('the set is broken');
      return mutate(resource, key, ...rest);
    };

    await expect(w.pass()).rejects.toThrow('the set is broken');
    expect(await there('a')).toBe('one');
  });

  const GIZMO = `apiVersion: toys.windlass.dev/v1beta2
kind: Gizmo
metadata: {name: one}
spec: {version: v1.29, version: v1.30, bogus: 1}
`;
  const warnings = async () =>
    (await w.objects.list(kinds.event, NAMESPACE))
      .filter(({ reason }) => reason === 'ManifestWarnings')
      .map(({ message }) => message);

  it.each(['ApplyOnce', 'Reconcile'] as const)(
    'use the last value of a duplicate key, and omit fields that the cluster does not know, with a warning: %s',
    async (strategy) => {
      await w.putConfigMap('toys', { 'toys.yaml': GIZMO });
      await w.addSet('toys', { strategy });
      await w.pass();

      expect(await w.applied('toys')).toMatchObject({ status: 'True' });
      const gizmo = await w.workload.call('GET', '/apis/toys.windlass.dev/v1beta2/namespaces/default/gizmos/one');
      expect(gizmo.body.spec).toMatchObject({ version: 'v1.30' });
      expect(gizmo.body.spec).not.toHaveProperty('bogus');
      const field = strategy === 'Reconcile' ? '.spec.bogus' : 'spec.bogus';
      expect(await warnings()).toEqual([
        `Cluster red: ConfigMap toys: toys.yaml has a duplicate key, whose last value is used: line 4; ConfigMap toys: Gizmo one: the cluster does not know a field of it: ${field}`,
      ]);
      await w.pass();
      expect(await warnings()).toHaveLength(1);
    },
  );

  it('with strategy ApplyOnce change neither what was applied nor what existed before', async () => {
    await w.workload.call('POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { value: 'theirs' },
    });
    await w.putConfigMap('cni', { a: manifest('a', 'ours'), b: manifest('b', 'ours') });
    await w.addSet('cni', {});
    await w.pass();
    expect([await there('a'), await there('b')]).toEqual(['theirs', 'ours']);

    await change('cni', { a: manifest('a', 'newer'), b: manifest('b', 'newer') });
    await w.pass();
    expect([await there('a'), await there('b')]).toEqual(['theirs', 'ours']);
  });

  it('with strategy ApplyOnce are applied again after a user has deleted the binding', async () => {
    await w.putConfigMap('cni', { a: manifest('a', 'one') });
    await w.addSet('cni', {});
    await w.pass();
    await w.objects.delete(kinds.clusterResourceSetBinding, { namespace: NAMESPACE, name: 'red' });
    await w.workload.call('DELETE', '/api/v1/namespaces/default/configmaps/a');
    await w.pass();
    expect(await there('a')).toBe('one');
  });

  it('with strategy Reconcile are applied again when their contents change, and only then', async () => {
    await w.putConfigMap('cni', { a: manifest('a', 'one') });
    await w.addSet('cni', { strategy: 'Reconcile' });
    await w.pass();
    const first = (await w.bindingOf('red'))?.spec.bindings?.[0]?.resources?.[0]?.hash;
    await w.pass();
    expect(w.workload.state.writes).toHaveLength(1);

    await change('cni', { a: manifest('a', 'two') });
    await w.pass();
    expect(await there('a')).toBe('two');
    expect((await w.bindingOf('red'))?.spec.bindings?.[0]?.resources?.[0]?.hash).not.toBe(first);
  });

  it('retry failed objects: one whose kind is defined later', async () => {
    const toy = 'apiVersion: toys.windlass.dev/v1beta2\nkind: Gizmo\nmetadata: {name: toy}\nspec: {version: v1.34}\n';
    w.workload.state.withoutGizmos = true;
    await w.putConfigMap('cni', { a: `${toy}---\n${manifest('a', 'one')}` });
    await w.addSet('cni', {});
    await w.pass();
    expect(await there('a')).toBe('one');
    expect(await w.applied('cni')).toMatchObject({
      status: 'False',
      reason: 'NotApplied',
      message: '* red: ConfigMap cni: Gizmo toy: the cluster serves no kind Gizmo in toys.windlass.dev/v1beta2',
    });
    expect((await w.bindingOf('red'))?.spec.bindings?.[0]?.resources?.[0]?.applied).toBe(false);

    w.workload.state.withoutGizmos = false;
    await w.pass();
    expect(await w.applied('cni')).toMatchObject({ status: 'True', message: '' });
    expect((await w.bindingOf('red'))?.metadata.annotations ?? {}).toEqual({});
  });

  it('never show the contents of a refused Secret', async () => {
    const text = 'apiVersion: v1\nkind: Secret\nmetadata: {name: "Not A Name", labels: {x: "s3cret !"}}\n';
    await w.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: NAMESPACE, name: 'sec' },
      type: 'addons.cluster.x-k8s.io/resource-set',
      stringData: { a: text },
    });
    await w.addSet('cni', { resources: [{ kind: 'Secret', name: 'sec' }] });
    await w.pass();
    const condition = await w.applied('cni');
    expect(condition).toMatchObject({ status: 'False', message: expect.stringContaining('422 Invalid: ') });
    const everything = [await w.setOf('cni'), await w.bindingOf('red'), await w.objects.list(kinds.event, NAMESPACE)];
    expect(JSON.stringify(everything)).not.toContain('s3cret');
  });

  it('report what they wait for: a resource, its type, the cluster', async () => {
    await w.addSet('missing', { resources: [{ kind: 'ConfigMap', name: 'later' }] });
    await w.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: NAMESPACE, name: 'opaque' },
      type: 'Opaque',
      stringData: { a: manifest('a', 'one') },
    });
    await w.addSet('opaque', { resources: [{ kind: 'Secret', name: 'opaque' }] });
    await w.putConfigMap('cni', { a: manifest('a', 'one') });
    await w.addSet('cni', {});
    await w.reach('red', 'False');
    await w.pass();
    expect(await w.applied('missing')).toMatchObject({ message: '* red: ConfigMap later does not exist' });
    expect(await w.applied('opaque')).toMatchObject({ reason: 'WrongSecretType' });
    expect(await w.applied('cni')).toMatchObject({ message: '* red: connect ETIMEDOUT' });
    const legacy = (await w.setOf('cni'))?.status?.deprecated?.v1beta1?.conditions;
    expect(legacy).toMatchObject([{ reason: 'RemoteClusterClientFailed', severity: 'Error', status: 'False' }]);
  });

  it('never change or delete a Secret of another type', async () => {
    const secret = { namespace: NAMESPACE, name: 'registry' };
    await w.put({ apiVersion: 'v1', kind: 'Secret', metadata: secret, type: 'Opaque', stringData: { key: 'x' } });
    await w.addSet('wrong', { resources: [{ kind: 'Secret', name: 'registry' }] });
    await w.pass();
    expect((await w.objects.get(kinds.secret, secret))?.metadata.ownerReferences).toBeUndefined();

    await w.objects.delete(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'wrong' });
    await release('red');
    expect(await w.setOf('wrong')).toBeUndefined();
    expect(await w.objects.get(kinds.secret, secret)).toBeDefined();
  });

  it('are reported as applied once all clusters have them', async () => {
    const blue = await w.addCluster('blue', { cni: 'x' });
    await w.addCluster('green', { cni: 'none' });
    await w.putConfigMap('cni', { a: manifest('a', 'one') });
    await w.addSet('cni', {});
    await w.pass();
    expect(await w.applied('cni')).toMatchObject({ status: 'False', message: '* blue: not applied yet' });
    await w.pass(blue);
    expect(await w.applied('cni')).toMatchObject({ status: 'True' });
    expect(await w.bindingOf('green')).toBeUndefined();
  });

  it('apply nothing while paused, and do not keep the cluster from settling', async () => {
    w.workload.state.answers = false;
    await w.putConfigMap('cni', { a: manifest('a', 'one') });
    await w.addSet('cni', {});
    await w.pass();
    expect((await w.bindingOf('red'))?.metadata.annotations).toBeDefined();
    await w.objects.mutate(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'cni' }, (set) => ({
      ...set,
      metadata: { ...set.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } },
    }));
    w.workload.state.answers = true;
    await w.pass();
    expect(w.workload.state.writes).toEqual([]);
    expect((await w.bindingOf('red'))?.metadata.annotations ?? {}).toEqual({});
    const paused = (await w.setOf('cni'))?.status?.conditions?.find(({ type }) => type === 'Paused');
    expect(paused?.status).toBe('True');
  });
});

describe('the deletion of', () => {
  beforeEach(async () => {
    for (const name of ['cni', 'ccm']) {
      await w.putConfigMap(name, { a: manifest(name, 'one') });
      await w.addSet(name, {});
    }
    await w.pass();
  });

  it('a set removes it from the bindings, and keeps the objects that were applied', async () => {
    await w.objects.delete(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'cni' });
    await w.pass();
    await release('red');
    expect(await w.setOf('cni')).toBeUndefined();
    const binding = await w.bindingOf('red');
    expect(binding?.spec.bindings?.map(({ clusterResourceSetName }) => clusterResourceSetName)).toEqual(['ccm']);
    expect(binding?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['ccm']);
    expect(await there('cni')).toBe('one');
    await w.objects.delete(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'ccm' });
    await release('red');
    expect([await w.bindingOf('red'), await w.setOf('ccm')]).toEqual([undefined, undefined]);
  });

  it('a set waits until all its clusters have released it', async () => {
    const blue = await w.addCluster('blue', { cni: 'x' });
    await w.pass(blue);
    await w.objects.delete(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'cni' });
    await release('red');
    expect(await w.setOf('cni')).toBeDefined();
    await release('blue');
    expect(await w.setOf('cni')).toBeUndefined();
  });

  it('a set does not wait for a cluster that no longer exists', async () => {
    const { apiVersion } = (await w.setOf('cni')) ?? {};
    const bindings = [{ clusterResourceSetName: 'cni', resources: [] }];
    await w.put({
      ...{ apiVersion, kind: 'ClusterResourceSetBinding', metadata: { namespace: NAMESPACE, name: 'restored' } },
      spec: { clusterName: 'restored', bindings },
    });
    await w.objects.delete(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'cni' });
    await release('red');
    expect(await w.setOf('cni')).toBeUndefined();
  });

  it('a cluster removes its binding, and sets without any binding can then be removed immediately', async () => {
    await w.objects.delete(kinds.cluster, { namespace: NAMESPACE, name: 'red' });
    await w.pass();
    await release('red');
    expect(await w.bindingOf('red')).toBeUndefined();
    expect((await w.setOf('cni'))?.metadata.finalizers ?? []).toEqual([]);
    await w.objects.delete(kinds.clusterResourceSet, { namespace: NAMESPACE, name: 'cni' });
    expect(await w.setOf('cni')).toBeUndefined();
  });
});
