/** A ClusterResourceSet that is deleted while a pass is about to make it an owner of its objects. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type ClusterResourceSet, type ConfigMap, kinds, type Secret } from '../../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { readSources, restoreSourceOwner } from './sources.ts';
import { makeAddonsWorld, NAMESPACE } from './test-world.ts';

type SourceKind = ResourceDefinition<ConfigMap | Secret>;
const KEY = { namespace: NAMESPACE, name: 'cni' };
const TYPE = 'addons.cluster.x-k8s.io/resource-set';

let w: Awaited<ReturnType<typeof makeAddonsWorld>>;
beforeEach(async () => {
  w = await makeAddonsWorld();
});

const collect = async () => {
  w.clock.advance(120);
  await w.registry.collectGarbage({ objects: 100, milliseconds: 10_000 });
};

const removeSet = async (propagationPolicy: 'Orphan' | 'Foreground') =>
  w.registry.delete(kinds.clusterResourceSet, KEY, { propagationPolicy });

const ways: [string, (set: ClusterResourceSet) => Promise<unknown>][] = [
  ['was deleted and has orphaned its objects', () => removeSet('Orphan').then(collect)],
  ['is being deleted', () => removeSet('Foreground')],
  [
    'was replaced by another one',
    async (set) => {
      await removeSet('Orphan').then(collect);
      await w.addSet('cni', { resources: set.spec.resources });
    },
  ],
];

describe.each([
  ['ConfigMap', kinds.configMap, {}],
  ['Secret', kinds.secret, { type: TYPE }],
] as unknown as [ClusterResourceSet['spec']['resources'][number]['kind'], SourceKind, object][])(
  'a ClusterResourceSet with a %s',
  (kind, resource, more) => {
    const ref = { kind, name: 'cni' };
    const source = () => w.objects.get(resource, KEY);
    const disown = () =>
      w.objects.mutate(resource, KEY, (current) => ({
        ...current,
        metadata: { ...current.metadata, ownerReferences: [] },
      }));
    /** Resolves to the set as a pass has listed it. */
    const setUp = async (): Promise<ClusterResourceSet> => {
      await w.put({ apiVersion: 'v1', kind, metadata: KEY, data: {}, ...more });
      return w.addSet('cni', { resources: [ref] });
    };

    it.each(ways)('does not own it again if the set %s', async (_what, leave) => {
      const set = await setUp();
      await readSources(w.objects, set);
      expect((await source())?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([set.metadata.uid]);
      await leave(set);
      await disown();
      await restoreSourceOwner(w.objects, { set, ref });
      await collect();
      expect((await source())?.metadata.name).toBe('cni');
      expect((await source())?.metadata.ownerReferences).toBeUndefined();
    });

    it.each(ways)('does not become its owner if the set %s', async (_what, leave) => {
      const set = await setUp();
      await leave(set);
      expect(await readSources(w.objects, set)).toMatchObject([{ ref, object: { metadata: { name: 'cni' } } }]);
      await collect();
      expect((await source())?.metadata.name).toBe('cni');
      expect((await source())?.metadata.ownerReferences).toBeUndefined();
    });

    it('does not own a later version of it if the set was deleted in the meantime', async () => {
      const set = await setUp();
      let isRead = false;
      const get: ObjectClient['get'] = async (of, key, options) => {
        const found = await w.objects.get(of, key, options);
        if (of.kind !== 'ClusterResourceSet' || isRead) return found;
        isRead = true;
        await removeSet('Orphan').then(collect);
        await w.objects.mutate(resource, KEY, (current) => ({
          ...current,
          metadata: { ...current.metadata, labels: { changed: '' } },
        }));
        return found;
      };
      await restoreSourceOwner({ get, mutate: w.objects.mutate }, { set, ref });
      expect(isRead).toBe(true);
      await collect();
      expect((await source())?.metadata.labels).toEqual({ changed: '' });
    });

    it('owns it although another writer changes it at the same time', async () => {
      const set = await setUp();
      let changes = 0;
      const get: ObjectClient['get'] = async (of, key, options) => {
        const found = await w.objects.get(of, key, options);
        if (of.kind !== 'ClusterResourceSet' || changes > 0) return found;
        changes += 1;
        await w.objects.mutate(resource, KEY, (current) => ({
          ...current,
          metadata: { ...current.metadata, labels: { changed: '' } },
        }));
        return found;
      };
      await readSources({ get, mutate: w.objects.mutate }, set);
      expect(changes).toBe(1);
      expect((await source())?.metadata).toMatchObject({
        labels: { changed: '' },
        ownerReferences: [{ uid: set.metadata.uid }],
      });
    });

    it('is not read again once it is the owner', async () => {
      const set = await setUp();
      await readSources(w.objects, set);
      const read: string[] = [];
      const get: ObjectClient['get'] = (of, key, options) => {
        read.push(of.kind);
        return w.objects.get(of, key, options);
      };
      await restoreSourceOwner({ get, mutate: w.objects.mutate }, { set, ref });
      await readSources({ get, mutate: w.objects.mutate }, set);
      expect(read).toEqual([kind, kind]);
    });
  },
);
