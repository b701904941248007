import { beforeEach, describe, expect, it } from 'vitest';
import { classWith } from '../shared/kinds/cluster-class/test-class.ts';
import { type Cluster, kinds } from '../shared/kinds/index.ts';
import { createCatalog } from '../shared/kube-api/custom/catalog.ts';
import { CUSTOM_DEFINITIONS } from '../shared/kube-api/custom/kind.ts';
import { createMemoryOwnerIndex } from '../shared/kube-api/garbage/owner-index.ts';
import { ensureNamespaces } from '../shared/kube-api/registry/namespaces.ts';
import type { ResourceDefinition } from '../shared/kube-api/resource.ts';
import { createMemoryStorage } from '../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../shared/random.ts';
import { testClock } from '../shared/store/test-table.ts';
import { CRDS, definition, WIDGETS, widget } from './api/custom/test-widgets.ts';
import { createTestApi } from './api/test-api.ts';
import { createControllersRegistry } from './controllers-registry.ts';

const BUDGET = { objects: 100, milliseconds: 1000 };

const userOf = (namespace: string): Cluster => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { namespace, name: 'user' },
  spec: { topology: { classRef: { namespace: 'platform', name: 'class' }, version: 'v1.35.0' } },
});

it('a namespace in deletion keeps a class until no cluster of another namespace uses it', async () => {
  const ownership = { index: createMemoryOwnerIndex() };
  const given = { storage: createMemoryStorage(), clock: testClock('2030-01-01T00:00:00Z'), random: systemRandom };
  const registry = createControllersRegistry({ ...given, ownership });
  const objects = createObjectClient(registry);
  await ensureNamespaces(registry);
  await objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'platform' } });
  const clusterClass = classWith({});
  await objects.ensure(kinds.clusterClass, { ...clusterClass, metadata: { namespace: 'platform', name: 'class' } });
  await objects.ensure(kinds.cluster, userOf('default'));

  await objects.delete(kinds.namespace, { namespace: '', name: 'platform' });
  const { failures } = await registry.collectGarbage(BUDGET);

  const key = { namespace: 'platform', name: 'class' };
  expect(await objects.get(kinds.clusterClass, key)).toBeDefined();
  const namespace = await objects.get(kinds.namespace, { namespace: '', name: 'platform' });
  expect(JSON.stringify(namespace?.status)).toContain(
    'cannot be deleted because it is used by Cluster(s): default/user',
  );
  expect(failures).toEqual([]);

  await objects.delete(kinds.cluster, { namespace: 'default', name: 'user' });
  await registry.collectGarbage(BUDGET);

  expect(await objects.get(kinds.clusterClass, key)).toBeUndefined();
  expect(await objects.get(kinds.namespace, { namespace: '', name: 'platform' })).toBeUndefined();
});

describe('a definition that is being deleted', () => {
  const key = { namespace: '', name: 'widgets.example.com' };
  let registry: ReturnType<typeof createControllersRegistry>;
  let objects: ReturnType<typeof createObjectClient>;
  let widgets: ResourceDefinition;
  beforeEach(async () => {
    const storage = createMemoryStorage();
    const given = { storage, clock: testClock('2030-01-01T00:00:00Z'), random: systemRandom };
    // The state after the API was interrupted: the definition and its objects exist, and nothing is removed yet.
    const { admin } = createTestApi(storage);
    await admin.ask('POST', CRDS, definition());
    for (const name of ['a', 'b', 'c']) await admin.ask('POST', WIDGETS, widget(name));
    registry = createControllersRegistry({ ...given, ownership: { index: createMemoryOwnerIndex() } });
    objects = createObjectClient(registry);
    widgets = ((await createCatalog(storage).current()).resources as ResourceDefinition[])[0] as ResourceDefinition;
    await registry.delete(CUSTOM_DEFINITIONS, key);
  });
  const left = async () => (await objects.list(widgets, 'default')).map(({ metadata }) => metadata.name);

  it('loses its objects in a sweep, and is then removed itself', async () => {
    expect(await left()).toEqual(['a', 'b', 'c']);
    const { touched, failures } = await registry.collectGarbage(BUDGET);
    expect([touched.map(({ object }) => object.metadata.name), failures]).toEqual([['a', 'b', 'c'], []]);
    expect(await left()).toEqual([]);
    expect(await objects.get(CUSTOM_DEFINITIONS, key)).toBeUndefined();
  });

  it('is continued over several sweeps if it has many objects', async () => {
    await registry.collectGarbage({ ...BUDGET, objects: 2 });
    expect(await left()).toEqual(['c']);
    expect(await objects.get(CUSTOM_DEFINITIONS, key)).toBeDefined();
    await registry.collectGarbage({ ...BUDGET, objects: 2 });
    expect(await left()).toEqual([]);
    expect(await objects.get(CUSTOM_DEFINITIONS, key)).toBeUndefined();
  });

  it('stays while its objects have finalizers', async () => {
    const held = { namespace: 'default', name: 'b' };
    await objects.mutate(widgets, held, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: ['example.com/hold'] },
    }));
    await registry.collectGarbage(BUDGET);
    expect(await left()).toEqual(['b']);
    await objects.mutate(widgets, held, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
    await registry.collectGarbage(BUDGET);
    expect(await objects.get(CUSTOM_DEFINITIONS, key)).toBeUndefined();
  });
});
