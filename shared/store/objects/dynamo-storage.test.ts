import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '../../clock.ts';
import { describeStorage } from '../../kube-api/storage/storage-suite.ts';
import { systemRandom } from '../../random.ts';
import { NAMESPACES } from '../keys.ts';
import { startTestDatabase, type TestDatabase } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

describeStorage('DynamoDB', async () => {
  const storage = createDynamoStorage({
    client: database.client,
    table: await database.makeTable(),
    clock: systemClock,
    random: systemRandom,
    sealer: createRawAesSealer(new Uint8Array(32).fill(7)),
  });
  // A list across namespaces reads only namespaces that have a Namespace object.
  for (const name of ['a', 'a-b', 'b']) {
    await storage.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, undefined);
  }
  return storage;
});
