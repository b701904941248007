import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { createCatalog } from '../../../shared/kube-api/custom/catalog.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { systemRandom } from '../../../shared/random.ts';
import { NAMESPACES } from '../../../shared/store/keys.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import { createRawAesSealer } from '../../../shared/store/objects/sealer.ts';
import { interceptClient, startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { rememberAll } from './remembered-configuration.ts';

const policy = kinds.validatingAdmissionPolicy as ResourceDefinition;
const definitions = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };

let database: TestDatabase;
let storage: Storage;
let queries = 0;

beforeAll(async () => {
  database = await startTestDatabase();
  const client = interceptClient(database.client, (name) => {
    if (name === 'QueryCommand') queries += 1;
  });
  const access = { client, table: await database.makeTable(), clock: testClock(), random: systemRandom };
  storage = createDynamoStorage({ ...access, sealer: createRawAesSealer(new Uint8Array(32)) });
  for (const name of ['team-a', 'team-b', 'team-c'])
    await storage.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, undefined);
  const { group, version, kind } = policy;
  const one = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'sizes' } };
  await storage.create(policy, one, undefined);
  const widgets = {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets' } },
    spec: { group: 'example.com', names: { plural: 'widgets', kind: 'Widget' }, versions: [] },
  };
  await storage.create(definitions, widgets, undefined);
});
afterAll(() => database.stop());

const namesOf = (found: readonly { metadata: { name: string } }[]): string[] =>
  found.map(({ metadata }) => metadata.name);

it.each([
  ['policies', async () => namesOf(await rememberAll(storage, policy)())],
  ['definitions', async () => namesOf((await createCatalog(storage).current()).definitions)],
])('%s are read with one query, however many namespaces there are', async (_, read) => {
  queries = 0;
  const found = await read();
  expect({ found: found.length, queries }).toEqual({ found: 1, queries: 1 });
});
