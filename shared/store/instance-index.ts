import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { KubeObject, ObjectKey, ResourceId } from '../kube-api/object.ts';
import { BY_INSTANCE } from './table.ts';

/** The AWSMachines with an instance: one request of one unit, also for an instance that nobody here knows. */
export type FindByInstance = (instanceId: string) => Promise<ObjectKey[]>;

/** What an object is found by in the index: the id of an AWSMachine's instance. */
export const instanceOf = ({ plural }: ResourceId, object: KubeObject): string | undefined =>
  plural === 'awsmachines' ? (object as { spec?: { instanceID?: string } }).spec?.instanceID || undefined : undefined;

/**
 * Looks into the index by instance. It follows the objects after a moment, and an object that was last written before
 * there was the index is not in it, so an empty answer means "perhaps not ours"; the sweep knows better.
 */
export const createFindByInstance =
  ({ client, table }: { client: DynamoDBDocumentClient; table: string }): FindByInstance =>
  async (instanceId) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: BY_INSTANCE.name,
        KeyConditionExpression: 'instance = :instance',
        ExpressionAttributeValues: { ':instance': instanceId },
      }),
    );
    return (Items as { pk: string; sk: string }[]).map(({ pk, sk }) => ({
      namespace: pk.slice(pk.indexOf('|') + 1),
      name: sk,
    }));
  };
