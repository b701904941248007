import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { systemRandom } from '../../random.ts';
import { createDynamoStorage } from '../objects/dynamo-storage.ts';
import { createRawAesSealer } from '../objects/sealer.ts';
import { createRecords } from '../records/records.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createFindByGroup } from './group-index.ts';
import { createFindByInstance } from './instance-index.ts';

const AWS_MACHINES = { group: 'infrastructure.cluster.x-k8s.io', plural: 'awsmachines' };

const awsMachine = (namespace: string, name: string, instanceID?: string) =>
  ({ apiVersion: 'a/v1', kind: 'AWSMachine', metadata: { namespace, name }, spec: { instanceID } }) as KubeObject;

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('an AWSMachine is found by its instance as long as it has one', async () => {
  const { client } = database;
  const table = await database.makeTable();
  const sealer = createRawAesSealer(new Uint8Array(32).fill(7));
  const storage = createDynamoStorage({ client, table, clock: testClock(), random: systemRandom, sealer });
  const find = createFindByInstance({ client, table });
  const resource = AWS_MACHINES;
  const at = (name: string, instanceID?: string) => awsMachine('team', name, instanceID);

  const made = await storage.create(resource, at('a'), 'red');
  await storage.create(resource, at('b', 'i-b'), 'red');
  await storage.create({ ...resource, plural: 'others' }, at('c', 'i-a'), 'red');
  expect(await find('i-a', resource)).toEqual([]);

  const launched = { ...at('a', 'i-a'), metadata: made.metadata } as KubeObject;
  const updated = await storage.update(resource, launched, 'red');
  expect(await find('i-a', resource)).toEqual([{ namespace: 'team', name: 'a' }]);

  expect(await find('i-a', { ...resource, group: 'infrastructure.example.com' })).toEqual([]);

  await storage.remove(resource, updated);
  expect(await find('i-a', resource)).toEqual([]);
  expect(await find('i-b', resource)).toEqual([{ namespace: 'team', name: 'b' }]);
});

it('AWSMachines of other namespaces with the same instance do not displace it, however many there are', async () => {
  const { client } = database;
  const table = await database.makeTable();
  const sealer = createRawAesSealer(new Uint8Array(32).fill(7));
  const storage = createDynamoStorage({ client, table, clock: testClock(), random: systemRandom, sealer });
  const find = createFindByInstance({ client, table });
  const counts = { a: 1, 'a-b': 12, a0: 11, team: 2, z: 11 };
  for (const [namespace, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index += 1) {
      await storage.create(AWS_MACHINES, awsMachine(namespace, `${index}`, 'i-a'), 'red');
    }
  }

  const found = await find('i-a', AWS_MACHINES);
  const byNamespace = Map.groupBy(found, ({ namespace }) => namespace);
  expect([...byNamespace].map(([namespace, keys]) => [namespace, new Set(keys.map(({ name }) => name)).size])).toEqual([
    ...[
      ['a', 1],
      ['a-b', 10],
      ['a0', 10],
      ['team', 2],
      ['z', 10],
    ],
  ]);
});

it('the record of a pool is found by the group that the pool took over, as long as the pool exists', async () => {
  const { client } = database;
  const table = await database.makeTable();
  const records = createRecords({ client, table, clock: testClock(), random: systemRandom });
  const find = createFindByGroup({ client, table });
  const pool = { namespace: 'team', uid: 'uid-1' };
  const group = (memory: object) => ({ 'windlass.dev/group': JSON.stringify(memory) });

  await records.write(pool, group({ name: 'workers-mp-0' }), 0);
  await records.write({ ...pool, uid: 'uid-2' }, group({ tagKeys: ['a'] }), 0);
  await records.write({ ...pool, uid: 'uid-3' }, { 'windlass.dev/settled': '{}' }, 0);
  expect(await find('workers-mp-0')).toEqual([pool]);
  expect(await find('web')).toEqual([]);

  await records.write(pool, group({ name: 'workers-mp-0', warmPool: true }), 1);
  expect(await find('workers-mp-0')).toEqual([pool]);
  expect(await createFindByInstance({ client, table })('workers-mp-0', AWS_MACHINES)).toEqual([]);

  await records.end(pool, 2);
  expect(await find('workers-mp-0')).toEqual([]);
});
