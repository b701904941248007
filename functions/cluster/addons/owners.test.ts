import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { makeAddonsWorld, manifest, NAMESPACE } from './test-world.ts';

let w: Awaited<ReturnType<typeof makeAddonsWorld>>;
beforeEach(async () => {
  w = await makeAddonsWorld();
});

describe('ClusterResourceSets', () => {
  const ownersOf = async (resource: ResourceDefinition, name: string) =>
    (await w.objects.get(resource, { namespace: NAMESPACE, name }))?.metadata.ownerReferences;
  const disown = (resource: ResourceDefinition, name: string) =>
    w.objects.mutate(resource, { namespace: NAMESPACE, name }, (current) => ({
      ...current,
      metadata: { ...current.metadata, ownerReferences: [] },
    }));

  it.each([
    ['ConfigMap', kinds.configMap, {}],
    ['Secret', kinds.secret, { type: 'addons.cluster.x-k8s.io/resource-set' }],
  ] as [string, ResourceDefinition, object][])(
    'own a %s again that alone has lost its owner, without applying it again',
    async (kind, resource, more) => {
      await w.put({ apiVersion: 'v1', kind, metadata: { namespace: NAMESPACE, name: 'cni' }, data: {}, ...more });
      const set = await w.addSet('cni', { resources: [{ kind, name: 'cni' }] as never });
      await w.pass();
      await disown(resource, 'cni');
      expect(await w.pass()).toEqual({ sets: 1, looked: 0 });
      expect((await ownersOf(resource, 'cni'))?.map(({ uid }) => uid)).toEqual([set.metadata.uid]);
    },
  );

  it('do not own a Secret that has become one of another type', async () => {
    const type = 'addons.cluster.x-k8s.io/resource-set';
    const metadata = { namespace: NAMESPACE, name: 'cni' };
    await w.put({ apiVersion: 'v1', kind: 'Secret', metadata, type, data: {} });
    await w.addSet('cni', { resources: [{ kind: 'Secret', name: 'cni' }] });
    await w.pass();
    await w.objects.delete(kinds.secret, metadata);
    await w.put({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: {} });
    expect(await w.pass()).toEqual({ sets: 1, looked: 0 });
    expect(await ownersOf(kinds.secret, 'cni')).toBeUndefined();
  });

  it.each([
    ['the finalizer of the set', kinds.clusterResourceSet, 'cni', 'finalizers'],
    ['the owner of the binding', kinds.clusterResourceSetBinding, 'red', 'ownerReferences'],
  ] as const)('restore %s, and own objects that they apply again', async (_what, resource, name, field) => {
    await w.putConfigMap('cni', { 'a.yaml': manifest('a', 'one') });
    const set = await w.addSet('cni', {});
    await w.pass();
    const at = (key: string) => ({ namespace: NAMESPACE, name: key });
    const without = (lost: typeof resource | typeof kinds.configMap, key: string, what: typeof field) =>
      w.objects.mutate<KubeObject>(lost as ResourceDefinition, at(key), ({ metadata, ...rest }) => {
        const { [what]: _, ...others } = metadata;
        return { ...rest, metadata: others };
      });
    const before = (await w.objects.get<KubeObject>(resource as ResourceDefinition, at(name)))?.metadata[field];
    await without(resource, name, field);
    await without(kinds.configMap, 'cni', 'ownerReferences');
    await w.pass();

    expect((await w.objects.get<KubeObject>(resource as ResourceDefinition, at(name)))?.metadata[field]).toEqual(
      before,
    );
    const source = await w.objects.get(kinds.configMap, at('cni'));
    expect(source?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([set.metadata.uid]);
    expect(await w.pass()).toEqual({ sets: 1, looked: 0 });
  });
});
