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
  /** When something was reserved last: it may not be stored yet. */
  reservedAt: number;
  countedAt: number;
}

/** A reservation this old is stored or never will be: writers give up well before (history.ts). */
const QUIET_MS = 10_000;

/** A full count is made again this often at most: refused requests must not cost a query each. */
const RECOUNT_MS = 30_000;

/** How far apart the clocks of two functions are at most. */
const SKEW_MS = 250;

const ATTEMPTS = 5;

/**
 * Counts in the one table: an item for each kind of a namespace that a quota limits, with conditional writes, so that
 * the limit is exact for any number of concurrent creations. A reservation or a release is one write. The objects are
 * counted when there is no count, when it belongs to other quotas, and when it is full: then a process that died may
 * have left it too high.
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

  /** The objects themselves. Strongly consistent; their bodies are not sent. */
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

  /** Whether a full count may be wrong and can be made again now. */
  const isDoubtful = ({ reservedAt, countedAt }: Count): boolean =>
    nowMs() - reservedAt > QUIET_MS && nowMs() - countedAt > RECOUNT_MS;

  return {
    reserve: async (counted, hard) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (await tryReserve(counted, hard)) return { granted: true };
        const old = await countOf(counted);
        const isKept = old?.owner === counted.owner;
        if (isKept && old.used >= hard && !isDoubtful(old)) return { granted: false, used: old.used };
        // Otherwise another was faster, or room was made since.
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
            // A count made meanwhile may already exclude it. One for other quotas is recomputed anyway.
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
