import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDynalite } from './quick-dynalite.ts';

const ITEMS = 40;
const TableName = 'table';

const server = createDynalite({ createTableMs: 0 });
let client: DynamoDBClient;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials });
  documents = DynamoDBDocumentClient.from(client);
  const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'cluster'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
      LocalSecondaryIndexes: [
        {
          IndexName: 'byCluster',
          KeySchema: [key('pk', 'HASH'), key('cluster', 'RANGE')],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
});

afterAll(() => {
  client.destroy();
  server.close();
});

it('answers a query of an index while the items that it refers to are deleted', async () => {
  const keys = Array.from({ length: ITEMS }, (_, index) => ({ pk: 'p', sk: String(index) }));
  await Promise.all(
    keys.map((key) => documents.send(new PutCommand({ TableName, Item: { ...key, cluster: 'c', text: 'x' } }))),
  );
  const query = () =>
    documents.send(
      new QueryCommand({
        TableName,
        IndexName: 'byCluster',
        Select: 'ALL_ATTRIBUTES',
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
        KeyConditionExpression: 'pk = :pk AND #cluster = :cluster',
        ExpressionAttributeNames: { '#cluster': 'cluster' },
        ExpressionAttributeValues: { ':pk': 'p', ':cluster': 'c' },
      }),
    );
  const pages = await Promise.all(
    keys.map(async (Key) => {
      const [page] = await Promise.all([query(), documents.send(new DeleteCommand({ TableName, Key }))]);
      return page;
    }),
  );

  const items = pages.flatMap(({ Items = [] }) => Items);
  expect(items.filter(({ text }) => text !== 'x')).toEqual([]);
  expect((await query()).Items).toEqual([]);
});
