import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../clock.ts';
import type { ResourceId } from '../kube-api/object.ts';
import {
  type CounterState,
  FIRST_VERSION,
  type Mark,
  RECENT_WRITES,
  RETENTION_MS,
  type RecentWrite,
} from './history.ts';
import { counterKey } from './keys.ts';
import { isConditionFailed } from './work-item.ts';

/** A version that was taken for a write. `at` is milliseconds since 1970. */
export interface Stamp {
  version: number;
  at: number;
}

/** The counters that give out resourceVersions: one item for each resource type. */
export interface Counters {
  /** Takes the next version for a write of that object. One call, but for the first of a resource type. */
  take(resource: ResourceId, namespace: string, name: string): Promise<Stamp>;
  /** The counter as it stands, strongly consistent. */
  read(resource: ResourceId): Promise<CounterState>;
  /** Reports that the write of a version was refused, so that readers need not wait for it. */
  burn(resource: ResourceId, version: number): Promise<void>;
}

/** Fine marks tell a list how far everything is settled, coarse ones how old a cursor is. Prefixes of attribute names. */
const FINE = { prefix: 'f', bucketMs: 5_000, keepMs: 60_000 };
const COARSE = { prefix: 'm', bucketMs: 5 * 60_000, keepMs: RETENTION_MS + 10 * 60_000 };
/** Old marks are removed in batches, so that it costs a call now and then only. */
const STALE_MARKS = 8;
const BURNT_VERSIONS = 32;

/** What a place holds before so many writes have been made. */
const NO_WRITE = '-';
const slots = Array.from({ length: RECENT_WRITES }, (_, index) => `r${index}`);
/** Moves every recent write one place down; DynamoDB reads all right-hand sides before it writes. */
const SHIFT = slots.map((slot, index) => `${slot} = ${index === 0 ? ':entry' : slots[index - 1]}`).join(', ');

type CounterItem = Record<string, unknown> & { n: number; burnt?: Set<number> };

const parseWrite = (entry: unknown, version: number): RecentWrite | undefined => {
  if (typeof entry !== 'string' || entry === NO_WRITE) return undefined;
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
  const recent = slots.flatMap((slot, index) => parseWrite(item[slot], item.n - index) ?? []);
  const marks = [...marksOf(item, FINE), ...marksOf(item, COARSE)].sort((a, b) => a.start - b.start);
  return { version: item.n, recent, marks, burnt: item.burnt ?? new Set() };
};

const bucketName = ({ prefix, bucketMs }: typeof FINE, at: number): string => `${prefix}${Math.floor(at / bucketMs)}`;

/** Counters over the one table. */
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
      ConditionExpression: 'attribute_exists(n)',
      ReturnValues: 'ALL_NEW' as const,
      UpdateExpression,
      ExpressionAttributeValues: values,
    };
    return (await client.send(new UpdateCommand(input))).Attributes as CounterItem;
  };

  /** Makes the counter of a resource type at its first write; somebody else may have been faster. */
  const initialize = async (resource: ResourceId): Promise<void> => {
    const empty = Object.fromEntries(slots.map((slot) => [slot, NO_WRITE]));
    const Item = { ...counterKey(resource), n: FIRST_VERSION, ...empty };
    try {
      await client.send(new PutCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
    }
  };

  const next = async (resource: ResourceId, namespace: string, name: string, at: number): Promise<CounterItem> => {
    const marks = [FINE, COARSE].map((scale) => bucketName(scale, at));
    const expression = [`SET n = n + :one, ${SHIFT}`, ...marks.map((mark) => `${mark} = if_not_exists(${mark}, n)`)];
    const values = { ':one': 1, ':entry': `${at.toString(36)}/${namespace}/${name}` };
    try {
      return await update(resource, expression.join(', '), values);
    } catch (error) {
      if (!isConditionFailed(error)) throw error;
      await initialize(resource);
      return update(resource, expression.join(', '), values);
    }
  };

  const prune = async (resource: ResourceId, item: CounterItem, now: number): Promise<void> => {
    const stale = [FINE, COARSE].flatMap((scale) =>
      marksOf(item, scale).filter(({ start }) => start < now - scale.keepMs),
    );
    if (stale.length < STALE_MARKS) return;
    await update(resource, `REMOVE ${stale.map(({ attribute }) => attribute).join(', ')}`);
  };

  return {
    take: async (resource, namespace, name) => {
      const at = clock.now().getTime();
      const item = await next(resource, namespace, name, at);
      await prune(resource, item, at);
      return { version: item.n, at };
    },
    read: async (resource) => {
      const input = { TableName: table, Key: counterKey(resource), ConsistentRead: true };
      return stateOf((await client.send(new GetCommand(input))).Item as CounterItem | undefined);
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
