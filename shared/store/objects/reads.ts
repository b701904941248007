import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import type { Clock } from '../../clock.ts';
import { ThrottledError } from '../../errors.ts';
import type { ResourceId } from '../../kube-api/object.ts';
import type { Referent } from '../../plan/references.ts';
import type { Random } from '../../random.ts';
import { mapConcurrently } from '../concurrency.ts';
import { type ItemKey, NAMESPACES, objectPartition, resourceKey } from '../keys.ts';
import { BY_CLUSTER, BY_VERSION } from '../table.ts';
import type { StoredObject } from './codec.ts';
import { secondsOf } from './expiry.ts';
import { mayReferTo } from './referent-names.ts';

export interface TableAccess {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
  random: Random;
}

/** A key of the index by version. */
export type VersionedKey = ItemKey & { version: number };

export interface PartitionOptions {
  after?: string;
  limit?: number;
  isEventual?: boolean;
  naming?: readonly Referent[];
}

/** Reads of objects and tombstones. All are strongly consistent, except `changedSince` and reads with `isEventual`. */
export interface ObjectReads {
  /** One object. Concurrent requests, without waiting in between, are combined into one call. */
  get(key: ItemKey): Promise<StoredObject | undefined>;
  /** The existing items of `keys`, in any order. */
  getMany(keys: readonly ItemKey[]): Promise<StoredObject[]>;
  /** The versions of the existing items of `keys`. */
  versionsOf(keys: readonly ItemKey[]): Promise<VersionedKey[]>;
  /**
   * Objects (no tombstones) of a partition in the order of their names, after the name `after`, at most `limit`. With
   * `naming`, most objects that do not refer to its targets are left out.
   */
  partition(pk: string, options: PartitionOptions): Promise<StoredObject[]>;
  /** The same without a limit, page by page: the next page is read when it is requested. */
  pages(pk: string, options: Omit<PartitionOptions, 'limit' | 'after'>): AsyncIterable<StoredObject[]>;
  /** Objects of a partition that belong to a cluster, by name. */
  ofCluster(pk: string, cluster: string): Promise<StoredObject[]>;
  /** Names of all namespaces that have a Namespace object, sorted. */
  namespaces(): Promise<string[]>;
  /**
   * Keys of objects that were changed after `version`, oldest first, at most `limit` (`more` is then set). Eventually
   * consistent.
   */
  changedSince(resource: ResourceId, version: number, limit: number): Promise<{ keys: VersionedKey[]; more: boolean }>;
}

const BATCH_KEYS = 100;
const BATCH_ATTEMPTS = 8;
const ALIVE = 'attribute_not_exists(deletedAt) AND (attribute_not_exists(expires) OR expires > :now)';

/** The page size of a query with a limit, in items, from the second page on. */
const SECOND_PAGE = 100;
const LARGEST_PAGE = 1000;
const largerThan = (size: number): number => Math.min(Math.max(2 * size, SECOND_PAGE), LARGEST_PAGE);

/** Full jitter: anything up to 50 ms · 2^attempt. */
const backoff = (attempt: number, random: Random): number => ((random.bytes(1)[0] ?? 0) / 256) * 50 * 2 ** attempt;

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const idOf = ({ pk, sk }: ItemKey): string => JSON.stringify([pk, sk]);

/** The keys without duplicates, as a batch requires. */
const distinct = (keys: readonly ItemKey[]): ItemKey[] => [...new Map(keys.map((key) => [idOf(key), key])).values()];

const partitionQuery = (
  pk: string,
  { after, isEventual = false, naming }: PartitionOptions,
  now: number,
): Omit<QueryCommandInput, 'TableName'> => {
  const filter = naming && mayReferTo(naming);
  return {
    ConsistentRead: !isEventual,
    KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk > :after',
    FilterExpression: filter ? `${ALIVE} AND ${filter.expression}` : ALIVE,
    ExpressionAttributeValues: {
      ...{ ':pk': pk, ':now': now, ...filter?.values },
      ...(after === undefined ? {} : { ':after': after }),
    },
  };
};

/** Reads of objects in the table. */
export const objectReads = ({ client, table, clock, random }: TableAccess): ObjectReads => {
  const batch = async (Keys: readonly ItemKey[], ProjectionExpression?: string): Promise<Record<string, unknown>[]> => {
    const found: Record<string, unknown>[] = [];
    let open = Keys.map(({ pk, sk }): Record<string, unknown> => ({ pk, sk }));
    for (let attempt = 0; attempt < BATCH_ATTEMPTS; attempt += 1) {
      const request = { Keys: open, ConsistentRead: true, ProjectionExpression };
      const output = await client.send(new BatchGetCommand({ RequestItems: { [table]: request } }));
      found.push(...(output.Responses?.[table] ?? []));
      open = output.UnprocessedKeys?.[table]?.Keys ?? [];
      if (open.length === 0) return found;
      await clock.sleep(backoff(attempt, random));
    }
    throw new ThrottledError(`DynamoDB left ${open.length} keys of a batch unread ${BATCH_ATTEMPTS} times`);
  };
  const batches = async (keys: readonly ItemKey[], projection?: string) =>
    (await mapConcurrently(chunks(keys, BATCH_KEYS), 4, (chunk) => batch(chunk, projection))).flat();

  async function* queryPages(input: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<StoredObject[]> {
    const pages = paginateQuery({ client }, { TableName: table, ConsistentRead: true, ...input });
    for await (const { Items = [] } of pages) yield Items as StoredObject[];
  }

  const query = async (input: Omit<QueryCommandInput, 'TableName'>) => {
    const found: StoredObject[] = [];
    for await (const page of queryPages(input)) found.push(...page);
    return found;
  };

  /**
   * The first `limit` items. DynamoDB counts items before it filters them. If the first page has too few because of
   * tombstones, the following ones are larger.
   */
  const firstOf = async (input: Omit<QueryCommandInput, 'TableName'>, limit: number): Promise<StoredObject[]> => {
    const found: StoredObject[] = [];
    let size = Math.min(limit, LARGEST_PAGE);
    let from: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = { TableName: table, ConsistentRead: true, ...input, Limit: size, ExclusiveStartKey: from };
      const output: QueryCommandOutput = await client.send(new QueryCommand(page));
      found.push(...((output.Items ?? []) as StoredObject[]));
      from = output.LastEvaluatedKey;
      size = largerThan(size);
    } while (from && found.length < limit);
    return found.slice(0, limit);
  };

  const now = (): number => secondsOf(clock.now());

  const one = async ({ pk, sk }: ItemKey): Promise<StoredObject | undefined> => {
    const output = await client.send(new GetCommand({ TableName: table, Key: { pk, sk }, ConsistentRead: true }));
    return output.Item as StoredObject | undefined;
  };
  const readTogether = async (keys: readonly ItemKey[]): Promise<(StoredObject | undefined)[]> => {
    const [first, ...others] = distinct(keys);
    if (first && others.length === 0) return Array(keys.length).fill(await one(first));
    const found = new Map((await batches(distinct(keys))).map((item) => [idOf(item as unknown as ItemKey), item]));
    return keys.map((key) => found.get(idOf(key)) as StoredObject | undefined);
  };
  // Nothing is cached: each read shows what is stored at its time.
  const together = new DataLoader(readTogether, { cache: false });

  return {
    get: (key) => together.load(key),
    getMany: async (keys) => (await batches(keys)) as unknown as StoredObject[],
    versionsOf: async (keys) => (await batches(keys, 'pk, sk, version')) as unknown as VersionedKey[],
    partition: (pk, options) => {
      const input = partitionQuery(pk, options, now());
      return options.limit === undefined ? query(input) : firstOf(input, options.limit);
    },
    pages: (pk, options) => queryPages(partitionQuery(pk, options, now())),
    ofCluster: async (pk, cluster) => {
      const found = await query({
        IndexName: BY_CLUSTER.name,
        Select: 'ALL_ATTRIBUTES',
        KeyConditionExpression: 'pk = :pk AND #cluster = :cluster',
        ExpressionAttributeNames: { '#cluster': BY_CLUSTER.sortKey.name },
        ExpressionAttributeValues: { ':pk': pk, ':cluster': cluster },
      });
      // DynamoDB guarantees no order among equal keys of the index.
      return found.sort((a, b) => (a.sk < b.sk ? -1 : 1));
    },
    namespaces: async () => {
      const found = await query({
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: ALIVE,
        ProjectionExpression: 'sk',
        ExpressionAttributeValues: { ':pk': objectPartition(NAMESPACES, ''), ':now': now() },
      });
      return found.map(({ sk }) => sk);
    },
    changedSince: async (resource, version, limit) => {
      const output = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: BY_VERSION.name,
          KeyConditionExpression: '#resource = :resource AND version > :version',
          ExpressionAttributeNames: { '#resource': 'resource' },
          ExpressionAttributeValues: { ':resource': resourceKey(resource), ':version': version },
          Limit: limit,
        }),
      );
      return { keys: (output.Items ?? []) as VersionedKey[], more: output.LastEvaluatedKey !== undefined };
    },
  };
};
