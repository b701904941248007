import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS, kinds } from '../../kinds/index.ts';
import { createRegistry } from '../../kube-api/registry/create-registry.ts';
import { createObjectClient } from '../../kube-api/storage/object-client.ts';
import { systemRandom } from '../../random.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../test-table.ts';
import { createDynamoStorage } from './dynamo-storage.ts';
import { createRawAesSealer } from './sealer.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('kinds that have no namespace are listed with one query, however many namespaces there are', async () => {
  let queries = 0;
  const client = interceptClient(database.client, (name) => {
    if (name === 'QueryCommand') queries += 1;
  });
  const access = { client, table: await database.makeTable(), clock: testClock(), random: systemRandom };
  const storage = createDynamoStorage({ ...access, sealer: createRawAesSealer(new Uint8Array(32)) });
  const objects = createObjectClient(createRegistry({ resources: KINDS, storage, ...access }));
  for (const name of ['team-a', 'team-b', 'team-c'])
    await objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await objects.ensure(kinds.clusterRole, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'reader' },
  });

  for (const list of [objects.list, objects.survey]) {
    queries = 0;
    const found = await list(kinds.clusterRole);
    expect({ names: found.map(({ metadata }) => metadata.name), queries }).toEqual({ names: ['reader'], queries: 1 });
  }
});
