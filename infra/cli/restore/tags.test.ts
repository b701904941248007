import { DescribeTableCommand, ListTagsOfResourceCommand, TagResourceCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { copyTags } from './tags.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it("gives a restored table the tags of the current one, except AWS's own", async () => {
  const { client } = database;
  const [from, to] = [await database.makeTable(), await database.makeTable()];
  const arnOf = async (TableName: string) =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table?.TableArn;
  expect(await copyTags(client, { from, to })).toEqual([]);

  const Tags = [
    { Key: 'team', Value: 'platform' },
    { Key: 'aws:cloudformation:stack-name', Value: 'Windlass' },
  ];
  await client.send(new TagResourceCommand({ ResourceArn: await arnOf(from), Tags }));
  for (let time = 0; time < 2; time += 1) expect(await copyTags(client, { from, to })).toEqual(['team']);

  const copied = await client.send(new ListTagsOfResourceCommand({ ResourceArn: await arnOf(to) }));
  expect(copied.Tags).toEqual([{ Key: 'team', Value: 'platform' }]);
});
