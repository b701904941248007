import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import type { Clock } from '../../clock.ts';
import type { ResourceId } from '../../kube-api/object.ts';
import { isConditionFailed } from '../conditional-write.ts';
import { counterKey, resourceKey } from '../keys.ts';
import {
  type CounterState,
  FIRST_VERSION,
  type Mark,
  RECENT_WRITES,
  RETENTION_MS,
  type RecentWrite,
} from './history.ts';

/** A version for a write. `at` is milliseconds since 1970. */
export interface Stamp {
  version: number;
  at: number;
}

/** The counters that assign resourceVersions, with one item for each resource type. */
export interface Counters {
  /**
   * Takes the next version for a write of that object. Versions that are requested together, without waiting in
   * between, are taken in one call. Some calls are followed by another one that trims the counter's list.
   */
  take(resource: ResourceId, namespace: string, name: string): Promise<Stamp>;
  /** The current counter, strongly consistent. */
  read(resource: ResourceId): Promise<CounterState>;
  /** Reports that the write of a version was refused, so that readers need not wait for it. */
  burn(resource: ResourceId, version: number): Promise<void>;
  /**
   * Moves the counter far ahead and discards its history, for a table that was restored to an earlier state. Versions
   * that were assigned after that state must not be assigned again, and a client that watches from one of them must
   * list again (410 Expired). Does nothing if no object of the type was ever written.
   */
  leap(resource: ResourceId): Promise<void>;
}

/** Marks a version without a write in `recent`: one that was settled long ago. */
const NO_WRITE = '0//';

/** As etcd recommends for a restored backup: more than the number of writes between the backup and its restoration. */
const LEAP = 1_000_000_000;

/**
 * Fine marks show a list up to which version everything is settled, and coarse marks show the age of a cursor. Each has
 * a prefix for attribute names.
 */
const FINE = { prefix: 'f', bucketMs: 5_000, keepMs: 60_000 };
const COARSE = { prefix: 'm', bucketMs: 5 * 60_000, keepMs: RETENTION_MS + 10 * 60_000 };
/** Old marks are removed in batches, so that the removal only occasionally costs a call. */
const STALE_MARKS = 8;
const BURNT_VERSIONS = 32;

/** The most versions that one call takes: more would make the recent past unknown to watches. */
const MOST_TAKEN_TOGETHER = RECENT_WRITES;

/** Recent writes are trimmed in batches as well. */
const MOST_RECENT_WRITES = RECENT_WRITES + 12;
const TRIMMED = Array.from({ length: 64 }, (_, index) => `recent[${RECENT_WRITES + index}]`).join(', ');

/** `recent` contains the writes of `n`, `n`-1 …, each as text. */
type CounterItem = Record<string, unknown> & { n: number; recent: string[]; burnt?: Set<number> };

/** A write that needs a version. */
interface Taker {
  resource: ResourceId;
  namespace: string;
  name: string;
}

const parseWrite = (entry: string, version: number): RecentWrite => {
  const [at = '', namespace = '', name = ''] = entry.split('/');
  return { version, namespace, name, at: Number.parseInt(at, 36) };
};

const marksOf = (item: CounterItem, { prefix, bucketMs }: typeof FINE): (Mark & { attribute: string })[] =>
  Object.entries(item).flatMap(([attribute, version]) =>
    attribute.startsWith(prefix) && typeof version === 'number'
      ? [{ attribute, version, start: Number(attribute.slice(prefix.length)) * bucketMs }]
      : [],
  );

const stateOf = (item: CounterItem | undefined): CounterState => {
  if (!item) return { version: FIRST_VERSION, recent: [], marks: [], burnt: new Set() };
  const recent = item.recent.slice(0, RECENT_WRITES).map((entry, index) => parseWrite(entry, item.n - index));
  const marks = [...marksOf(item, FINE), ...marksOf(item, COARSE)].sort((a, b) => a.start - b.start);
  return { version: item.n, recent, marks, burnt: item.burnt ?? new Set() };
};

const bucketName = ({ prefix, bucketMs }: typeof FINE, at: number): string => `${prefix}${Math.floor(at / bucketMs)}`;

/** Counters in the table. */
export const createCounters = ({
  client,
  table,
  clock,
}: {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
}): Counters => {
  const update = async (
    resource: ResourceId,
    UpdateExpression: string,
    values?: Record<string, unknown>,
  ): Promise<CounterItem> => {
    const input = {
      TableName: table,
      Key: counterKey(resource),
      ConditionExpression: 'n >= :first',
      ReturnValues: 'ALL_NEW' as const,
      UpdateExpression,
      ExpressionAttributeValues: { ':first': FIRST_VERSION, ...values },
    };
    return (await client.send(new UpdateCommand(input))).Attributes as CounterItem;
  };

  /** Creates the counter of a resource type at its first write. Another writer may have been faster. */
  const initialize = async (resource: ResourceId): Promise<void> => {
    const Item = { ...counterKey(resource), n: FIRST_VERSION, recent: [] };
    try {
      await client.send(new PutCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
    }
  };

  /**
   * Takes a version for each of the takers, which have the same resource type; the last one gets the highest version.
   */
  const next = async (resource: ResourceId, takers: readonly Taker[], at: number): Promise<CounterItem> => {
    const marks = [FINE, COARSE].map((scale) => bucketName(scale, at));
    const changes = [
      'n = n + :count',
      'recent = list_append(:entries, recent)',
      ...marks.map((mark) => `${mark} = if_not_exists(${mark}, n)`),
    ];
    const entries = takers.map(({ namespace, name }) => `${at.toString(36)}/${namespace}/${name}`).reverse();
    const expression = `SET ${changes.join(', ')}`;
    const values = { ':count': takers.length, ':entries': entries };
    try {
      return await update(resource, expression, values);
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
      await initialize(resource);
      return update(resource, expression, values);
    }
  };

  const prune = async (resource: ResourceId, item: CounterItem, now: number): Promise<void> => {
    const stale = [FINE, COARSE]
      .flatMap((scale) => marksOf(item, scale).filter(({ start }) => start < now - scale.keepMs))
      .map(({ attribute }) => attribute);
    const isLong = item.recent.length >= MOST_RECENT_WRITES;
    if (!isLong && stale.length < STALE_MARKS) return;
    // Positions in the list count from the newest write, so if others take versions in the meantime, only older entries
    // are removed.
    await update(resource, `REMOVE ${[...stale, ...(isLong ? [TRIMMED] : [])].join(', ')}`);
  };

  const takeOfOne = async (resource: ResourceId, takers: readonly Taker[]): Promise<Stamp[]> => {
    const at = clock.now().getTime();
    const item = await next(resource, takers, at);
    await prune(resource, item, at);
    return takers.map((_, index) => ({ version: item.n - takers.length + 1 + index, at }));
  };

  const takeTogether = async (takers: readonly Taker[]): Promise<Stamp[]> => {
    const groups = Map.groupBy(takers, ({ resource }) => resourceKey(resource));
    const taken = await Promise.all(
      [...groups.values()].map(async (group) => {
        const stamps = await takeOfOne((group[0] as Taker).resource, group);
        return group.map((taker, index) => [taker, stamps[index] as Stamp] as const);
      }),
    );
    const found = new Map(taken.flat());
    return takers.map((taker) => found.get(taker) as Stamp);
  };
  const together = new DataLoader(takeTogether, { cache: false, maxBatchSize: MOST_TAKEN_TOGETHER });

  const readItem = async (resource: ResourceId): Promise<CounterItem | undefined> => {
    const input = { TableName: table, Key: counterKey(resource), ConsistentRead: true };
    return (await client.send(new GetCommand(input))).Item as CounterItem | undefined;
  };

  return {
    take: (resource, namespace, name) => together.load({ resource, namespace, name }),
    read: async (resource) => stateOf(await readItem(resource)),
    leap: async (resource) => {
      const item = await readItem(resource);
      if (!item) return;
      const forgotten = [FINE, COARSE].flatMap((scale) => marksOf(item, scale).map(({ attribute }) => attribute));
      const remove = [...forgotten, 'burnt'].join(', ');
      await update(resource, `SET n = n + :leap, recent = :none REMOVE ${remove}`, {
        ':leap': LEAP,
        ':none': [NO_WRITE],
      });
    },
    burn: async (resource, version) => {
      const { n, burnt = new Set() } = await update(resource, 'ADD burnt :versions', {
        ':versions': new Set([version]),
      });
      const forgettable = [...burnt].filter((each) => each <= n - RECENT_WRITES);
      if (forgettable.length < BURNT_VERSIONS) return;
      await update(resource, 'DELETE burnt :versions', { ':versions': new Set(forgettable) });
    },
  };
};
