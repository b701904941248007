import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createTableInput } from '../../../shared/store/table.ts';
import { inProcess } from '../engines/wire/in-process.ts';
import { createWireServer } from '../engines/wire/server.ts';
import { meteredTable } from './table.ts';

const TableName = 'objects';
const Key = { pk: 'machines|default', sk: 'one' };
const counted = { readUnits: 0, writeUnits: 0 };
const server = createWireServer({ clock: systemClock, random: systemRandom, log: silentLog });
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  const database = inProcess(dynalite({ createTableMs: 0 }));
  server.forward(
    'dynamodb',
    meteredTable(database, (unit, quantity) => {
      counted[unit as keyof typeof counted] += quantity;
    }),
  );
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const plain = new DynamoDBClient({ endpoint: await server.listen(), region: 'us-east-1', credentials });
  await plain.send(new CreateTableCommand(createTableInput(TableName)));
  client = DynamoDBDocumentClient.from(plain);
});
afterAll(() => server.close());
beforeEach(() => Object.assign(counted, { readUnits: 0, writeUnits: 0 }));

const item = (version: number, bytes: number) => ({
  ...Key,
  resource: 'machines',
  version,
  // What the field of the answer is called may be in an item.
  body: `"ConsumedCapacity":{${'x'.repeat(bytes)}`,
});

it('counts writes by the KB, including those of the indexes', async () => {
  await client.send(new PutCommand({ TableName, Item: item(1, 2_500) }));
  expect(counted).toEqual({ readUnits: 0, writeUnits: 3 + 1 });
  const change = { UpdateExpression: 'SET version = :v', ExpressionAttributeValues: { ':v': 2 } };
  await client.send(new UpdateCommand({ TableName, Key, ...change }));
  expect(counted.writeUnits).toBe(4 + 3 + 2);
});

it('counts a write that fails its condition', async () => {
  const refused = new PutCommand({
    TableName,
    Item: item(3, 10),
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  await expect(client.send(refused)).rejects.toThrow();
  expect(counted.writeUnits).toBe(1);
});

it('counts reads by 4 KB, and eventually consistent reads half', async () => {
  await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  expect(counted.readUnits).toBe(1);
  const byPlace = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': Key.pk } };
  await client.send(new QueryCommand({ TableName, ...byPlace }));
  expect(counted.readUnits).toBe(1.5);
  const { Responses } = await client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }));
  expect(Responses?.[TableName]).toMatchObject([{ version: 2 }]);
  expect(counted.readUnits).toBe(2);
  await client.send(new DeleteCommand({ TableName, Key }));
  expect(counted.writeUnits).toBe(3 + 1);
});
