import {
  DescribeTableCommand,
  ListTagsOfResourceCommand,
  type Tag,
  TagResourceCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const arnOf = async (client: DynamoDBDocumentClient, TableName: string): Promise<string> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (!Table?.TableArn) throw new Error(`DynamoDB reports no ARN of the table ${TableName}`);
  return Table.TableArn;
};

/** Reads all pages; the SDK has no paginator for them. */
const tagsOf = async (client: DynamoDBDocumentClient, ResourceArn: string, NextToken?: string): Promise<Tag[]> => {
  const page = await client.send(new ListTagsOfResourceCommand({ ResourceArn, NextToken }));
  const { Tags = [] } = page;
  return page.NextToken ? [...Tags, ...(await tagsOf(client, ResourceArn, page.NextToken))] : Tags;
};

/** Tags that only AWS may set, such as those with which CloudFormation marks its resources. */
const isReserved = ({ Key = '' }: Tag): boolean => Key.startsWith('aws:');

/**
 * Copies the tags of the table `from` to the table `to`, because DynamoDB does not restore them: cost allocation and
 * permissions may depend on them. Safe to repeat. Resolves to the keys.
 */
export const copyTags = async (
  client: DynamoDBDocumentClient,
  { from, to }: { from: string; to: string },
): Promise<string[]> => {
  const tags = (await tagsOf(client, await arnOf(client, from))).filter((tag) => !isReserved(tag));
  if (tags.length > 0) await client.send(new TagResourceCommand({ ResourceArn: await arnOf(client, to), Tags: tags }));
  return tags.map(({ Key = '' }) => Key);
};
