import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Mark, OwnerIndex, Place } from '../kube-api/garbage/owner-index.ts';
import { garbageKey, garbagePartitions, linkKey, ownerPartition } from './keys.ts';
import { isConditionFailed } from './work-item.ts';

/**
 * Owners and dependents as items of the one table: a link costs an additional write when an owner is named, a removal
 * two for its mark, and the dependents of an owner are one consistent query, regardless of the number of other objects.
 */
export const createOwnerIndex = ({ client, table }: { client: DynamoDBDocumentClient; table: string }): OwnerIndex => {
  const put = (item: object) => client.send(new PutCommand({ TableName: table, Item: item }));
  const remove = (Key: Record<string, string>) => client.send(new DeleteCommand({ TableName: table, Key }));
  const removeMark = async ({ uid, at }: Pick<Mark, 'uid' | 'at'>): Promise<void> => {
    const input = {
      TableName: table,
      Key: { ...garbageKey(uid) },
      ConditionExpression: '#at <= :at',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':at': at },
    };
    try {
      await client.send(new DeleteCommand(input));
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
    }
  };
  const query = async (pk: string): Promise<Record<string, unknown>[]> => {
    const items: Record<string, unknown>[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      },
    );
    for await (const { Items = [] } of pages) items.push(...Items);
    return items;
  };

  return {
    link: async (ownerUid, dependent) => void (await put({ ...linkKey(ownerUid, dependent), ...placeOf(dependent) })),
    unlink: async (ownerUid, dependent) => void (await remove({ ...linkKey(ownerUid, dependent) })),
    dependents: async (ownerUid) => (await query(ownerPartition(ownerUid))).map(placeOf),
    mark: async ({ uid, at, ...place }) => void (await put({ ...garbageKey(uid), uid, at, ...placeOf(place) })),
    unmark: async (mark) => void (await removeMark(mark)),
    marks: async () => {
      const shards = await Promise.all(garbagePartitions().map(query));
      return shards.flat().map((item): Mark => ({ ...placeOf(item), uid: String(item.uid), at: Number(item.at) }));
    },
  };
};

/** The names of a place; `resource` is the key of the index by version, which these items stay out of. */
const placeOf = ({ group, plural, namespace, name }: Place | Record<string, unknown>): Place => ({
  group: String(group),
  plural: String(plural),
  namespace: String(namespace),
  name: String(name),
});
