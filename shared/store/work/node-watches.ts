import { type DynamoDBDocumentClient, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import type { ClusterRef } from '../../work/payloads.ts';
import { isAccepted } from '../conditional-write.ts';
import { nodeWatchKey } from '../keys.ts';
import type { NodeWatches } from './node-watch.ts';

export interface StoredWatch {
  clusterUid?: string;
  holder?: string;
  leaseUntil?: number;
  nextAt?: number;
  since?: number;
  awaited?: ReadonlySet<string>;
  joins?: number;
}

/** The holder of the watch polls again within this time, or has died. */
const LEASE_MS = 120_000;

/** The table drops an item that was not written for a day. */
const KEEP_SECONDS = 24 * 60 * 60;

/** Taking over costs more transitions than a slightly longer wait. */
const SLACK_MS = 1_500;

const dateOf = (milliseconds: number | undefined): Date | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds);

const keyOf = ({ namespace, name, uid }: ClusterRef) => nodeWatchKey(namespace, name, uid);

export const isWatched = ({ holder, leaseUntil = 0 }: StoredWatch, now: number): boolean =>
  holder !== undefined && leaseUntil > now;

/** Watches in the table; each is stored next to the leases of the cluster's machines. */
export const nodeWatches = ({
  client,
  table,
  clock,
}: {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
}): NodeWatches => {
  type Change = Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>;
  const write = async (cluster: ClusterRef, change: Change): Promise<StoredWatch> => {
    const input = { TableName: table, Key: keyOf(cluster), ReturnValues: 'ALL_NEW' as const, ...change };
    return (await client.send(new UpdateCommand(input))).Attributes as StoredWatch;
  };
  const isWritten = (cluster: ClusterRef, change: Change): Promise<boolean> => isAccepted(write(cluster, change));
  const now = (): number => clock.now().getTime();
  const expires = (): number => Math.ceil(now() / 1000) + KEEP_SECONDS;
  const held = (holder: string, waitSeconds: number) => ({
    ':holder': holder,
    ':until': now() + Math.max(LEASE_MS, waitSeconds * 1000),
    ':next': now() + waitSeconds * 1000,
    ':expires': expires(),
  });

  const take = (cluster: ClusterRef, holder: string, waitSeconds: number): Promise<boolean> =>
    isWritten(cluster, {
      UpdateExpression: 'SET holder = :holder, leaseUntil = :until, nextAt = :next, expires = :expires, since = :now',
      ConditionExpression: 'attribute_not_exists(holder) OR holder = :holder OR leaseUntil <= :now OR nextAt > :soon',
      ExpressionAttributeValues: {
        ...held(holder, waitSeconds),
        ':now': now(),
        ':soon': now() + waitSeconds * 1000 + SLACK_MS,
      },
    });

  return {
    joinNodeWatch: async ({ namespace, clusterName, clusterUid, uid }, holder, waitSeconds) => {
      const cluster = { namespace, name: clusterName, uid: clusterUid };
      const found = await write(cluster, {
        UpdateExpression: 'SET clusterUid = :cluster, expires = :expires ADD awaited :uids, joins :one',
        ExpressionAttributeValues: {
          ':cluster': clusterUid,
          ':expires': expires(),
          ':uids': new Set([uid]),
          ':one': 1,
        },
      });
      const soon = now() + waitSeconds * 1000 + SLACK_MS;
      const isOwn = found.holder === holder;
      if (!isOwn && isWatched(found, now()) && (found.nextAt ?? 0) <= soon) return 'joined';
      return (await take(cluster, holder, waitSeconds)) ? 'watching' : 'joined';
    },
    nodeWatch: async (cluster) => {
      const input = { TableName: table, Key: keyOf(cluster), ConsistentRead: true };
      const {
        holder,
        since,
        leaseUntil,
        awaited,
        joins = 0,
      } = ((await client.send(new GetCommand(input))).Item ?? {}) as StoredWatch;
      return {
        holder,
        since: dateOf(since),
        heldUntil: dateOf(leaseUntil),
        awaited: awaited ?? new Set(),
        joins,
      };
    },
    holdNodeWatch: (cluster, holder, waitSeconds) =>
      isWritten(cluster, {
        UpdateExpression: 'SET leaseUntil = :until, nextAt = :next, expires = :expires',
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: held(holder, waitSeconds),
      }),
    leaveNodeWatch: async (cluster, uids) => {
      if (uids.length === 0) return;
      await isWritten(cluster, {
        UpdateExpression: 'DELETE awaited :uids',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':uids': new Set(uids) },
      });
    },
    endNodeWatch: (cluster, holder, joins) =>
      isWritten(cluster, {
        UpdateExpression: 'REMOVE holder, leaseUntil, nextAt, since',
        ConditionExpression: 'holder = :holder AND joins = :joins',
        ExpressionAttributeValues: { ':holder': holder, ':joins': joins },
      }),
  };
};
