import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import { ConflictError } from '../../errors.ts';
import type { Counted, QuotaUsage } from '../../kube-api/quota/usage.ts';
import { isAccepted } from '../conditional-write.ts';
import { objectPartition, quotaKey } from '../keys.ts';

/** The count of a kind in a namespace. Times are milliseconds since 1970. */
interface Count {
  used: number;
  owner: string;
  /** When something was last reserved: it may not be stored yet. */
  reservedAt: number;
  countedAt: number;
}

/** A reservation of this age is either stored or never will be, because writers give up well before (history.ts). */
const QUIET_MS = 10_000;

/** The minimum time between full counts: refused requests must not cost a query each. */
const RECOUNT_MS = 30_000;

/** The maximum difference between the clocks of two functions. */
const SKEW_MS = 250;

const ATTEMPTS = 5;

/**
 * Counts in the table, with an item for each kind in a namespace that a quota limits. The writes are conditional, so
 * the limit is exact for any number of concurrent creations. A reservation or a release is one write. The objects are
 * counted when there is no count, when it belongs to other quotas, and when it is full, because a process that has died
 * may have left it too high.
 */
export const createQuotaUsage = ({
  client,
  table,
  clock,
}: {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
}): QuotaUsage => {
  const nowMs = (): number => clock.now().getTime();
  const keyOf = ({ namespace, resource }: Counted) => quotaKey(namespace, resource);

  const countOf = async (counted: Counted): Promise<Count | undefined> => {
    const output = await client.send(new GetCommand({ TableName: table, Key: keyOf(counted), ConsistentRead: true }));
    return output.Item as Count | undefined;
  };

  /** Counts the objects themselves. Strongly consistent; their bodies are not transferred. */
  const countObjects = async ({ resource, namespace }: Counted): Promise<number> => {
    const query = {
      TableName: table,
      ConsistentRead: true,
      Select: 'COUNT',
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: 'attribute_not_exists(deletedAt)',
      ExpressionAttributeValues: { ':pk': objectPartition(resource, namespace) },
    } as const;
    let objects = 0;
    for await (const { Count = 0 } of paginateQuery({ client }, query)) objects += Count;
    return objects;
  };

  /** Replaces a count by the number of stored objects, unless it has changed since it was read. */
  const recount = async (counted: Counted, old: Count | undefined): Promise<void> => {
    const countedAt = nowMs();
    const used = await countObjects(counted);
    const Item = { ...keyOf(counted), used, owner: counted.owner, reservedAt: 0, countedAt };
    const condition = old
      ? {
          ConditionExpression: 'used = :used AND reservedAt = :reservedAt AND countedAt = :countedAt',
          ExpressionAttributeValues: { ':used': old.used, ':reservedAt': old.reservedAt, ':countedAt': old.countedAt },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' };
    await isAccepted(client.send(new PutCommand({ TableName: table, Item, ...condition })));
  };

  const tryReserve = (counted: Counted, hard: number): Promise<boolean> =>
    isAccepted(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: keyOf(counted),
          UpdateExpression: 'SET used = used + :one, reservedAt = :now',
          ConditionExpression: 'used < :hard AND #owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':one': 1, ':now': nowMs(), ':hard': hard, ':owner': counted.owner },
        }),
      ),
    );

  /** Whether a count may be wrong and may be renewed now. */
  const isDoubtful = ({ reservedAt, countedAt }: Count): boolean =>
    nowMs() - reservedAt > QUIET_MS && nowMs() - countedAt > RECOUNT_MS;

  return {
    reserve: async (counted, hard) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (await tryReserve(counted, hard)) return { granted: true };
        const old = await countOf(counted);
        const isKept = old?.owner === counted.owner;
        if (isKept && old.used >= hard && !isDoubtful(old)) return { granted: false, used: old.used };
        // Otherwise another process was faster, or space has become free in the meantime.
        if (!isKept || old.used >= hard) await recount(counted, old);
      }
      throw new ConflictError(`the count of ${counted.resource.plural} in ${counted.namespace} changes all the time`);
    },
    release: async (counted, since) => {
      await isAccepted(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: keyOf(counted),
            UpdateExpression: 'SET used = used - :one',
            // A count that was made in the meantime may already exclude it. A count for other quotas is renewed anyway.
            ConditionExpression: 'used >= :one AND #owner = :owner AND countedAt < :since',
            ExpressionAttributeNames: { '#owner': 'owner' },
            ExpressionAttributeValues: { ':one': 1, ':owner': counted.owner, ':since': since.getTime() - SKEW_MS },
          }),
        ),
      );
    },
    read: async (counted) => {
      const kept = await countOf(counted);
      return kept?.owner === counted.owner ? kept.used : countObjects(counted);
    },
  };
};
