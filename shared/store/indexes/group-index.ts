import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { INFRASTRUCTURES } from '../../providers/registry.ts';
import { RECORD_PREFIX } from '../keys.ts';
import { BY_INSTANCE } from '../table.ts';

/**
 * Finds the pools whose records name a group that was taken over, with one request of one unit, also for an unknown
 * group. Only controllers write records, after they have read the group's tags, so a user cannot claim the events of
 * someone else's group.
 */
export type FindByGroup = (group: string) => Promise<{ namespace: string; uid: string }[]>;

/** The key of a record in the index: the name of a pool's group, unless it can be derived from the pool. */
export const takenOverGroup = (entries: Readonly<Record<string, string>>): string | undefined =>
  INFRASTRUCTURES.map(({ pool }) => pool?.takenOver(entries)).find((name) => name !== undefined);

/**
 * Queries the index by instance, which also contains these records. The index lags a moment behind them, so an empty
 * result means "perhaps not ours"; the sweep has complete information.
 */
export const createFindByGroup =
  ({ client, table }: { client: DynamoDBDocumentClient; table: string }): FindByGroup =>
  async (group) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: BY_INSTANCE.name,
        // An instance of a provider's machine may have the same name.
        KeyConditionExpression: 'instance = :group AND begins_with(pk, :records)',
        ExpressionAttributeValues: { ':group': group, ':records': RECORD_PREFIX },
      }),
    );
    return (Items as { pk: string; sk: string }[]).map(({ pk, sk }) => ({
      namespace: pk.slice(RECORD_PREFIX.length),
      uid: sk,
    }));
  };
