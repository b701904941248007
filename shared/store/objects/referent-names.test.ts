import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { createRegistry } from '../../kube-api/registry/create-registry.ts';
import { createObjectClient } from '../../kube-api/storage/object-client.ts';
import { seededRandom } from '../../seeded-random.ts';
import { objectKey } from '../keys.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const DEPLOYMENTS = { group: 'cluster.x-k8s.io', plural: 'machinedeployments' };

const deployment = (name: string, template: string): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { namespace: 'default', name },
  ...{ spec: { template: { spec: { infrastructureRef: { kind: 'AWSMachineTemplate', name: template } } } } },
});

const setUp = async () => {
  const table = await database.makeTable();
  const { client } = database;
  const sealer = createRawAesSealer(new Uint8Array(32));
  const storage = createDynamoStorage({ client, table, clock: testClock(), random: seededRandom(1), sealer });
  const created = await storage.create(DEPLOYMENTS, deployment('a', 'old'), undefined);
  await storage.create(DEPLOYMENTS, deployment('b', 'other'), undefined);
  const naming = async (name: string) => {
    const target = { kind: 'AWSMachineTemplate', name };
    const { items } = await storage.list(DEPLOYMENTS, { namespace: 'default', unversioned: true, naming: [target] });
    return items.map(({ metadata }) => metadata.name);
  };
  return { storage, created, naming, table };
};

it('a list of the objects that refer to a name leaves out the others, also after an update', async () => {
  const { storage, created, naming } = await setUp();
  expect(await naming('old')).toEqual(['a']);
  expect(await naming('none')).toEqual([]);

  const { resourceVersion } = created.metadata;
  const changed = deployment('a', 'new');
  await storage.update(DEPLOYMENTS, { ...changed, metadata: { ...changed.metadata, resourceVersion } }, undefined);

  expect(await naming('old')).toEqual([]);
  expect(await naming('new')).toEqual(['a']);
});

it.each([
  ['without names', (item: object) => ({ ...item, referents: undefined, referentsAt: undefined })],
  ['with names of an earlier version', (item: object) => ({ ...item, version: 1_000 })],
  ['with names by other rules', (item: object) => ({ ...item, referents: '1:abcdefgh' })],
])('objects that an earlier release has stored %s are not left out', async (_, change) => {
  const { naming, table } = await setUp();
  const Key = objectKey(DEPLOYMENTS, 'default', 'a');
  const { Item = {} } = await database.client.send(new GetCommand({ TableName: table, Key }));

  await database.client.send(new PutCommand({ TableName: table, Item: change(Item) }));

  expect(await naming('none')).toEqual(['a']);
  expect(await naming('other')).toEqual(['a', 'b']);
});

it('lets a client list only the objects that name a target', async () => {
  const { storage } = await setUp();
  const registry = createRegistry({
    ...{ resources: [kinds.machineDeployment], storage, clock: testClock(), random: seededRandom(2) },
  });
  const target = { kind: 'AWSMachineTemplate', name: 'old' };
  const found = await createObjectClient(registry).listNaming(kinds.machineDeployment, 'default', [target]);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['a']);
});

it('an object with too many references is stored without their names, and not left out', async () => {
  const { storage, created, naming } = await setUp();
  const many = Array.from({ length: 201 }, (_, index) => ({ kind: 'Secret', name: `s-${index}` }));
  const { metadata, ...rest } = deployment('a', 'new');
  const object = {
    ...rest,
    spec: { many },
    metadata: { ...metadata, resourceVersion: created.metadata.resourceVersion },
  };

  await storage.update(DEPLOYMENTS, object, undefined);

  expect(await naming('none')).toEqual(['a']);
});

const CLUSTERS = { group: 'cluster.x-k8s.io', plural: 'clusters' };

it('a list in all namespaces leaves out the clusters of other classes', async () => {
  const { storage } = await setUp();
  const namespaces = ['default', 'other'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  for (const namespace of namespaces) await storage.create({ group: '', plural: 'namespaces' }, namespace, undefined);
  const cluster = (namespace: string, name: string, className: string) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { namespace, name },
    spec: { topology: { classRef: { name: className, namespace: 'default' }, version: 'v1.34.0' } },
  });
  for (const [namespace, name, className] of [
    ['default', 'a', 'first'],
    ['default', 'b', 'second'],
    ['other', 'c', 'third'],
    ['other', 'd', 'first'],
  ] as const)
    await storage.create(CLUSTERS, cluster(namespace, name, className), name);
  const usersOf = async (...classes: string[]) => {
    const naming = classes.map((name) => ({ kind: 'ClusterClass', name }));
    const { items } = await storage.list(CLUSTERS, { naming, unversioned: true });
    return items.map(({ metadata }) => metadata.name);
  };

  expect(await usersOf('first')).toEqual(['a', 'd']);
  expect(await usersOf('second', 'third')).toEqual(['b', 'c']);
  const many = Array.from({ length: 101 }, (_, index) => `none-${index}`);
  expect(await usersOf(...many.slice(1))).toEqual([]);
  expect(await usersOf(...many)).toEqual(['a', 'b', 'c', 'd']);
});
