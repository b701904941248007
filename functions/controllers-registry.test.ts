import { expect, it } from 'vitest';
import { classWith } from '../shared/kinds/cluster-class/test-class.ts';
import { type Cluster, kinds } from '../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../shared/kube-api/memory-storage.ts';
import { ensureNamespaces } from '../shared/kube-api/namespaces.ts';
import { createObjectClient } from '../shared/kube-api/object-client.ts';
import { systemRandom } from '../shared/random.ts';
import { testClock } from '../shared/store/test-table.ts';
import { createControllersRegistry } from './controllers-registry.ts';

const BUDGET = { objects: 100, milliseconds: 1000 };

const userOf = (namespace: string): Cluster => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { namespace, name: 'user' },
  spec: { topology: { classRef: { namespace: 'platform', name: 'class' }, version: 'v1.35.0' } },
});

it('a namespace that goes keeps the class that clusters of other namespaces use, until the last of them is gone', async () => {
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
