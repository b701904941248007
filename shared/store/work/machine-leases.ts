import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import type { MachineRef } from '../../work/payloads.ts';
import { isAccepted } from '../conditional-write.ts';
import { MACHINE_LEASE_PREFIX, machineLeaseKey } from '../keys.ts';
import { isWatched, type StoredWatch } from './node-watches.ts';
import type { MachineLeases } from './work.ts';

/** The table drops a lease that was not released, a day after its end. */
const KEEP_EXPIRED_SECONDS = 24 * 60 * 60;

const keyOf = ({ namespace, clusterName, uid }: MachineRef) => machineLeaseKey(namespace, clusterName, uid);

/** A machine's lease, or the watch for the nodes of a cluster. */
interface StoredLease extends StoredWatch {
  uid?: string;
}

/**
 * The attribute of a lease with the uid of what `holder` has removed. Each holder has its own: if steps are so slow that
 * executions take over from each other, none of them would otherwise find its own record at its end.
 */
const removedBy = (holder: string): string => `removed by ${holder}`;

/** Leases of machines in the table; the items are stored next to their cluster's work. */
export const machineLeases = ({
  client,
  table,
  clock,
}: {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
}): MachineLeases => {
  const hold = (machine: MachineRef, holder: string, ttlSeconds: number, condition: string) => {
    const now = clock.now().getTime();
    const until = now + ttlSeconds * 1000;
    return client.send(
      new UpdateCommand({
        TableName: table,
        Key: keyOf(machine),
        UpdateExpression: 'SET uid = :uid, holder = :holder, leaseUntil = :until, expires = :expires',
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ':uid': machine.uid,
          ':holder': holder,
          ':until': until,
          ':expires': Math.ceil(until / 1000) + KEEP_EXPIRED_SECONDS,
          ...(condition.includes(':now') ? { ':now': now } : {}),
        },
      }),
    );
  };

  return {
    beginMachine: async (machine, holder, ttlSeconds) => {
      const free = 'attribute_not_exists(holder) OR holder = :holder OR leaseUntil <= :now';
      return { acquired: await isAccepted(hold(machine, holder, ttlSeconds, free)) };
    },
    extendMachine: (machine, holder, ttlSeconds) => isAccepted(hold(machine, holder, ttlSeconds, 'holder = :holder')),
    recordRemoval: (machine, holder, infrastructure) =>
      isAccepted(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: keyOf(machine),
            UpdateExpression: 'SET #removed = :infrastructure',
            ConditionExpression: 'attribute_exists(holder)',
            ExpressionAttributeNames: { '#removed': removedBy(holder) },
            ExpressionAttributeValues: { ':infrastructure': infrastructure },
          }),
        ),
      ),
    removalBy: async (machine, holder) => {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: keyOf(machine), ConsistentRead: true }),
      );
      return Item?.[removedBy(holder)] as string | undefined;
    },
    releaseMachine: (machine, holder) =>
      isAccepted(
        client.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf(machine),
            ConditionExpression: 'holder = :holder',
            ExpressionAttributeValues: { ':holder': holder },
          }),
        ),
      ),
    machinesInWork: async ({ namespace, name, uid: clusterUid }) => {
      const { pk } = machineLeaseKey(namespace, name, '');
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': pk, ':prefix': MACHINE_LEASE_PREFIX },
        },
      );
      const now = clock.now().getTime();
      const found: StoredLease[] = [];
      for await (const { Items = [] } of pages) found.push(...(Items as StoredLease[]));
      const watch = found.find((item) => item.clusterUid === clusterUid);
      const ends = found.flatMap(({ leaseUntil = 0 }) => (leaseUntil > now ? [leaseUntil] : []));
      return {
        busy: new Set(found.flatMap(({ uid, leaseUntil = 0 }) => (uid && leaseUntil > now ? [uid] : []))),
        awaited: watch?.awaited ?? new Set(),
        isWatched: watch !== undefined && isWatched(watch, now),
        leasedUntil: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
      };
    },
    removeMachine: async (machine) => {
      await client.send(new DeleteCommand({ TableName: table, Key: keyOf(machine) }));
    },
  };
};
