import { DeleteCommand, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ClusterRef } from '../../work/payloads.ts';
import { ifAccepted } from '../conditional-write.ts';
import { clusterWorkKey, dueShardOf, reporterKey } from '../keys.ts';
import type { EndWork, WorkDependencies, WorkStore } from './work.ts';
import { isLeased, type StoredWork, toWorkItem } from './work-item.ts';

type ClusterLeases = Pick<WorkStore, 'touch' | 'skip' | 'begin' | 'extend' | 'finish' | 'release' | 'get' | 'remove'>;

/** By this time after a touch, a pass has started, or its start was lost and the sweep must handle it. */
export const START_GRACE_MS = 30_000;

const HELD = 'holder = :holder';
const IDENTITY = 'namespace = :namespace, #name = :name, uid = :uid';
const DUE = 'dueShard = :shard, dueAt = :dueAt';

const keyOf = ({ namespace, name, uid }: ClusterRef) => clusterWorkKey(namespace, name, uid);

const identityValues = ({ namespace, name, uid }: ClusterRef) => ({
  ':namespace': namespace,
  ':name': name,
  ':uid': uid,
  ':shard': dueShardOf(uid),
});

const endOf = (stored: StoredWork | undefined, held: boolean): EndWork => ({
  wanted: stored?.wanted ?? 0,
  attempts: stored?.attempts ?? 0,
  held,
});

/** A cluster's counters and its lease, in one item. Each operation is one conditional write. */
export const clusterLeases = ({ client, table, clock }: WorkDependencies): ClusterLeases => {
  type Change = Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'> & {
    ExpressionAttributeNames?: Record<string, string>;
  };
  const write = async (cluster: ClusterRef, change: Change): Promise<StoredWork> => {
    const input = { TableName: table, Key: keyOf(cluster), ReturnValues: 'ALL_NEW' as const, ...change };
    return (await client.send(new UpdateCommand(input))).Attributes as StoredWork;
  };
  /** The item after the write; undefined if the condition did not hold. */
  const tryWrite = (cluster: ClusterRef, change: Change): Promise<StoredWork | undefined> =>
    ifAccepted(write(cluster, change));
  const read = async (cluster: ClusterRef): Promise<StoredWork | undefined> => {
    const input = { TableName: table, Key: keyOf(cluster), ConsistentRead: true };
    return (await client.send(new GetCommand(input))).Item as StoredWork | undefined;
  };
  const inSeconds = (seconds: number): number => clock.now().getTime() + seconds * 1000;
  /** Removes the item from the index, or keeps it there until `dueAt`. */
  const dueUpdate = (cluster: ClusterRef, dueAt: Date | undefined) =>
    dueAt
      ? { set: `, ${DUE}`, remove: '', values: { ':shard': dueShardOf(cluster.uid), ':dueAt': dueAt.getTime() } }
      : { set: '', remove: ', dueShard, dueAt', values: {} };

  const wish = (cluster: ClusterRef, rest: string, values: Record<string, number>): Change => ({
    UpdateExpression: `SET ${IDENTITY}, ${DUE}${rest}`,
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: {
      ...identityValues(cluster),
      ':dueAt': clock.now().getTime() + START_GRACE_MS,
      ...values,
    },
  });
  const wished = (stored: StoredWork) => ({ wanted: stored.wanted ?? 0, leased: isLeased(stored, clock.now()) });
  const touch: ClusterLeases['touch'] = async (cluster, { isNews = false } = {}) =>
    wished(
      await write(
        cluster,
        wish(cluster, ` ${isNews ? 'REMOVE attempts ' : ''}ADD wanted :one, unbegun :one`, { ':one': 1 }),
      ),
    );

  return {
    touch,

    skip: async (cluster) => {
      const change = wish(cluster, ', wanted = :later ADD unbegun :one', {
        ':later': clock.now().getTime(),
        ':one': 1,
      });
      const skipped = await tryWrite(cluster, { ...change, ConditionExpression: 'wanted < :later' });
      // Another touch has skipped in the same millisecond, or with a clock that is ahead.
      return skipped ? wished(skipped) : touch(cluster);
    },

    begin: async (cluster, holder, ttlSeconds) => {
      const taken = await tryWrite(cluster, {
        // A pass that dies leaves an expired lease, which the sweep must then handle.
        UpdateExpression: `SET ${IDENTITY}, ${DUE}, holder = :holder, leaseUntil = :dueAt REMOVE unbegun`,
        ConditionExpression: `attribute_not_exists(holder) OR ${HELD} OR leaseUntil <= :now`,
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: {
          ...identityValues(cluster),
          ':holder': holder,
          ':now': clock.now().getTime(),
          ':dueAt': inSeconds(ttlSeconds),
        },
      });
      const { wanted, attempts } = endOf(taken ?? (await read(cluster)), false);
      return { acquired: taken !== undefined, wanted, attempts };
    },

    extend: async (cluster, holder, ttlSeconds) => {
      const until = inSeconds(ttlSeconds);
      const held = await tryWrite(cluster, {
        UpdateExpression: `SET leaseUntil = :dueAt, ${DUE}`,
        ConditionExpression: HELD,
        ExpressionAttributeValues: { ':holder': holder, ':shard': dueShardOf(cluster.uid), ':dueAt': until },
      });
      return held !== undefined;
    },

    finish: async (cluster, holder, seen, { dueAt } = {}) => {
      const due = dueUpdate(cluster, dueAt);
      const settled = await tryWrite(cluster, {
        UpdateExpression: `SET done = :seen${due.set} REMOVE holder, leaseUntil, attempts${due.remove}`,
        ConditionExpression: `${HELD} AND wanted <= :seen`,
        ExpressionAttributeValues: { ':holder': holder, ':seen': seen, ...due.values },
      });
      if (settled) return endOf(settled, true);
      // There was a touch in the meantime, so the item must stay in the index until the next pass has started.
      const unsettled = await tryWrite(cluster, {
        UpdateExpression: `SET done = :seen, ${DUE} REMOVE holder, leaseUntil, attempts`,
        ConditionExpression: HELD,
        ExpressionAttributeValues: {
          ':holder': holder,
          ':seen': seen,
          ':shard': dueShardOf(cluster.uid),
          ':dueAt': clock.now().getTime() + START_GRACE_MS,
        },
      });
      return unsettled ? endOf(unsettled, true) : endOf(await read(cluster), false);
    },

    release: async (cluster, holder, { failed = false, dueAt } = {}) => {
      const released = await tryWrite(cluster, {
        // An unfinished cluster stays in the index. Otherwise no pass would return to it.
        UpdateExpression: `SET ${DUE} REMOVE holder, leaseUntil ADD attempts :failed`,
        ConditionExpression: HELD,
        ExpressionAttributeValues: {
          ':holder': holder,
          ':failed': failed ? 1 : 0,
          ':shard': dueShardOf(cluster.uid),
          ':dueAt': dueAt?.getTime() ?? clock.now().getTime() + START_GRACE_MS,
        },
      });
      return released ? endOf(released, true) : endOf(await read(cluster), false);
    },

    get: async (cluster) => {
      const stored = await read(cluster);
      return stored && toWorkItem(stored);
    },

    remove: async (cluster) => {
      // Deleted first, because the work shows a later attempt what is left.
      await client.send(new DeleteCommand({ TableName: table, Key: reporterKey(cluster.uid) }));
      await client.send(new DeleteCommand({ TableName: table, Key: keyOf(cluster) }));
    },
  };
};
