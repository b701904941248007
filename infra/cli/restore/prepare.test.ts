import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { createCounters } from '../../../shared/store/objects/counter.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import { createRawAesSealer } from '../../../shared/store/objects/sealer.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { newerClusters } from './clusters.ts';
import { prepareTable } from './prepare.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const cluster = (name: string, paused?: boolean) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name, namespace: 'default' },
  spec: {
    ...(paused === undefined ? {} : { paused }),
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name },
  },
});

const setUp = async () => {
  const access = {
    client: database.client,
    table: await database.makeTable(),
    clock: testClock(),
    random: seededRandom(1),
  };
  const storage = createDynamoStorage({ ...access, sealer: createRawAesSealer(new Uint8Array(32)) });
  const registry = createRegistry({ resources: Object.values(kinds), storage, ...access });
  const objects = createObjectClient(registry);
  await objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await objects.ensure(kinds.cluster, cluster('red'));
  await objects.ensure(kinds.cluster, cluster('blue', false));
  await objects.ensure(kinds.cluster, cluster('old', true));
  return { access, objects };
};

const versionIn = (object: { metadata: { resourceVersion?: string } } | undefined) =>
  Number(object?.metadata.resourceVersion);

it('pauses the clusters, with versions that were never used', async () => {
  const { access, objects } = await setUp();
  const before = await objects.get(kinds.cluster, { namespace: 'default', name: 'red' });
  expect(await prepareTable(access, { pause: true })).toEqual({
    paused: ['default/blue', 'default/red'],
    alreadyPaused: ['default/old'],
    active: [],
  });
  const after = await objects.get(kinds.cluster, { namespace: 'default', name: 'red' });
  expect(after?.spec.paused).toBe(true);
  expect(versionIn(after)).toBeGreaterThan(versionIn(before) + 1e9);
});

it.each([
  ['apiextensions.k8s.io', 'customresourcedefinitions'],
  ['example.com', 'widgets'],
])('increases the versions of kinds that are defined at run time: %s/%s', async (group, plural) => {
  const { access } = await setUp();
  const counters = createCounters(access);
  const { version } = await counters.take({ group, plural }, 'default', 'one');
  await prepareTable(access, { pause: true });
  expect((await counters.read({ group, plural })).version).toBe(version + 1e9);
});

it('can be repeated, and changes no cluster the second time', async () => {
  const { access, objects } = await setUp();
  await prepareTable(access, { pause: true });
  const once = await objects.get(kinds.cluster, { namespace: 'default', name: 'red' });
  const { paused, alreadyPaused } = await prepareTable(access, { pause: true });
  expect([paused, alreadyPaused]).toEqual([[], ['default/blue', 'default/old', 'default/red']]);
  expect(await objects.get(kinds.cluster, { namespace: 'default', name: 'red' })).toEqual(once);
});

it('does not pause the clusters if the user requests that', async () => {
  const { access, objects } = await setUp();
  const { active } = await prepareTable(access, { pause: false });
  expect(active).toEqual(['default/blue', 'default/red']);
  expect((await objects.get(kinds.cluster, { namespace: 'default', name: 'red' }))?.spec.paused).toBeUndefined();
});

it('names clusters of the current table that the restored one lacks, including re-created ones', async () => {
  const [used, restored] = [await setUp(), await setUp()];
  const table = restored.access.table;
  const lists = async () => newerClusters(restored.access, used.access.table);
  // The random identifiers repeat, so both tables have the same clusters.
  expect(await lists()).toEqual([]);
  await used.objects.delete(kinds.cluster, { namespace: 'default', name: 'red' });
  await used.objects.ensure(kinds.cluster, cluster('red'));
  await used.objects.ensure(kinds.cluster, cluster('green'));
  expect(await lists()).toEqual(['default/green', 'default/red']);
  expect(await newerClusters(used.access, table)).toEqual(['default/red']);
});
