/** The complete table of a lifecycle, as an operator of AWS sees it. */
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { prepareTable } from '../../../infra/cli/restore/prepare.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { ifAccepted } from '../../../shared/store/conditional-write.ts';

export type Item = Record<string, unknown>;

export interface Table {
  /** Reads all items. */
  read(): Promise<Item[]>;
  /** Restores a state of the table that `read` has returned earlier. */
  restore(items: readonly Item[]): Promise<void>;
  /** Ends the leases of these holders, as if they had not extended them in time. */
  expireLeases(holders: ReadonlySet<string>): Promise<void>;
  /** Does what `windlass restore` does before functions use a restored table. */
  prepare(): Promise<void>;
  close(): void;
}

/** The limit of BatchWriteItem. */
const BATCH = 25;

const keyOf = ({ pk, sk }: Item) => ({ pk, sk });

/** Must be called when the simulated AWS is running, because its address is read from the environment. */
export const openTable = (): Table => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const find = async (): Promise<string> => {
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    const [name] = TableNames;
    if (name === undefined || TableNames.length > 1) throw new Error(`there is not one table but ${TableNames.length}`);
    return name;
  };
  let found: Promise<string> | undefined;
  const name = (): Promise<string> => {
    found ??= find();
    return found;
  };
  const read = async (): Promise<Item[]> => {
    const items: Item[] = [];
    for (let from: Item | undefined; ; ) {
      const request = { TableName: await name(), ConsistentRead: true, ExclusiveStartKey: from };
      const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand(request));
      items.push(...Items);
      if (LastEvaluatedKey === undefined) return items;
      from = LastEvaluatedKey;
    }
  };
  /** Does nothing if the holder has released the lease meanwhile. */
  const expire = async (Key: Item, holder: string): Promise<void> => {
    const request = {
      ...{ TableName: await name(), Key, UpdateExpression: 'SET leaseUntil = :now' },
      ...{
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder, ':now': Date.now() },
      },
    };
    await ifAccepted(client.send(new UpdateCommand(request)));
  };
  return {
    read,
    restore: async (items) => {
      const wanted = new Set(items.map((item) => JSON.stringify(keyOf(item))));
      const gone = (await read()).filter((item) => !wanted.has(JSON.stringify(keyOf(item))));
      const writes = [
        ...gone.map((item) => ({ DeleteRequest: { Key: keyOf(item) } })),
        ...items.map((item) => ({ PutRequest: { Item: item } })),
      ];
      for (let from = 0; from < writes.length; from += BATCH)
        await client.send(
          new BatchWriteCommand({ RequestItems: { [await name()]: writes.slice(from, from + BATCH) } }),
        );
    },
    expireLeases: async (holders) => {
      for (const { holder, ...item } of await read())
        if (typeof holder === 'string' && holders.has(holder)) await expire(keyOf(item), holder);
    },
    prepare: async () => {
      const access = { client, table: await name(), clock: systemClock, random: systemRandom };
      await prepareTable(access, { pause: true });
    },
    close: () => client.destroy(),
  };
};
