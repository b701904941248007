import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Random } from '../../random.ts';
import { isAccepted, isConditionFailed } from '../conditional-write.ts';
import { watchPool } from '../keys.ts';

/** Releases a slot. Never rejects: a slot that could not be released becomes free when its time is up. */
export type FreeSlot = () => Promise<void>;

/** Counts concurrently open watches over all processes. */
export interface WatchSlots {
  /** Takes one of the `size` slots of a pool for at most `seconds`; undefined if all are taken. */
  take(pool: string, size: number, seconds: number): Promise<FreeSlot | undefined>;
}

/** After this time a slot counts as free. No stream outlives its function, which starts a little earlier. */
const GRACE_SECONDS = 60;

/** How often a slot that seemed free is tried: other processes may be faster. */
const ATTEMPTS = 3;

const skOf = (slot: number): string => `slot|${slot}`;

/** A number below `size`; bias does not matter. */
const anyOf = (size: number, random: Random): number =>
  random.bytes(4).reduce((number, byte) => number * 256 + byte, 0) % size;

/**
 * Slots in the table, with an item for each taken slot. A conditional write decides who gets it. Taking a slot costs
 * one write if the first one tried is free, and otherwise a query and another write. Releasing it costs one write.
 * Nothing is written while it is held, so the slots of a process that has died stay taken until their time is up.
 */
export const createWatchSlots = ({
  client,
  table,
  clock,
  random,
  log,
}: {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
  random: Random;
  log: Log;
}): WatchSlots => {
  const free = (pk: string, slot: number, holder: string): FreeSlot => {
    const Key = { pk, sk: skOf(slot) };
    const expression = { ConditionExpression: 'holder = :holder', ExpressionAttributeValues: { ':holder': holder } };
    return async () => {
      try {
        await client.send(new DeleteCommand({ TableName: table, Key, ...expression }));
      } catch (error) {
        // If the write was refused, the slot's time was up and another process has taken it.
        if (!isConditionFailed(error)) log.warn('A slot of a watch is free only later', { error: String(error) });
      }
    };
  };

  const takeSlot = async (pk: string, slot: number, seconds: number): Promise<FreeSlot | undefined> => {
    const now = clock.now().getTime();
    const leaseUntil = now + (seconds + GRACE_SECONDS) * 1000;
    const holder = random.uuid();
    const Item = { pk, sk: skOf(slot), holder, leaseUntil, expires: Math.ceil(leaseUntil / 1000) };
    const ConditionExpression = 'attribute_not_exists(pk) OR leaseUntil <= :now';
    const condition = { ConditionExpression, ExpressionAttributeValues: { ':now': now } };
    const isTaken = await isAccepted(client.send(new PutCommand({ TableName: table, Item, ...condition })));
    return isTaken ? free(pk, slot, holder) : undefined;
  };

  /** Free slots. A pool is small enough for one page. */
  const freeSlots = async (pk: string, size: number): Promise<number[]> => {
    const output = await client.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'leaseUntil > :now',
        ProjectionExpression: 'sk',
        ExpressionAttributeValues: { ':pk': pk, ':now': clock.now().getTime() },
      }),
    );
    const taken = new Set((output.Items ?? []).map(({ sk }) => sk));
    return Array.from({ length: size }, (_, slot) => slot).filter((slot) => !taken.has(skOf(slot)));
  };

  return {
    take: async (pool, size, seconds) => {
      const pk = watchPool(pool);
      const first = await takeSlot(pk, anyOf(size, random), seconds);
      if (first) return first;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const open = await freeSlots(pk, size);
        const slot = open[anyOf(Math.max(1, open.length), random)];
        if (slot === undefined) return undefined;
        const taken = await takeSlot(pk, slot, seconds);
        if (taken) return taken;
      }
      return undefined;
    },
  };
};
