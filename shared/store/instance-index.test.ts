import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KubeObject } from '../kube-api/object.ts';
import { systemRandom } from '../random.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createFindByInstance } from './instance-index.ts';
import { createRawAesSealer } from './sealer.ts';
import { startTestDatabase, type TestDatabase, testClock } from './test-table.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('finds an AWSMachine by its instance as long as it has one', async () => {
  const { client } = database;
  const table = await database.makeTable();
  const sealer = createRawAesSealer(new Uint8Array(32).fill(7));
  const storage = createDynamoStorage({ client, table, clock: testClock(), random: systemRandom, sealer });
  const find = createFindByInstance({ client, table });
  const resource = { group: 'infrastructure.cluster.x-k8s.io', plural: 'awsmachines' };
  const at = (name: string, instanceID?: string) =>
    ({
      apiVersion: 'a/v1',
      kind: 'AWSMachine',
      metadata: { namespace: 'team', name },
      spec: { instanceID },
    }) as KubeObject;

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
