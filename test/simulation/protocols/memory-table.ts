/** A table in memory: dynalite's actions with a map instead of a database, one call at a time and without delay. */
import { createRequire } from 'node:module';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTableInput, DUE } from '../../../shared/store/table.ts';

const require = createRequire(import.meta.url);

type Attribute = Record<string, unknown>;
type Item = Record<string, Attribute>;
type Callback = (error: Error | null, result?: { Item?: Item; Attributes?: Item }) => void;
type Action = (store: object, data: object, callback: Callback) => void;

/** A request of the document client. */
export interface Command {
  constructor: { name: string };
  input: object;
}

/** The operations that the protocols use. */
const ACTIONS = ['updateItem', 'putItem', 'getItem', 'deleteItem'] as const;

const actions = new Map(
  ACTIONS.map((name) => [
    `${name[0]?.toUpperCase()}${name.slice(1).replace('Item', '')}Command`,
    {
      act: require(`dynalite/actions/${name}`) as Action,
      validate: (require(`dynalite/validations/${name}`) as { custom(data: object, store: object): string | undefined })
        .custom,
    },
  ]),
);

const toAttribute = (value: unknown): Attribute => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  if (typeof value === 'object' && value !== null) return { M: toItem(value) };
  throw new Error(`the table in memory keeps no ${typeof value}`);
};

const toItem = (values: object): Item =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, toAttribute(value)]])),
  );

const fromAttribute = (attribute: Attribute): unknown => {
  const [[type, value] = []] = Object.entries(attribute);
  if (type === 'N') return Number(value);
  if (type === 'L') return (value as Attribute[]).map(fromAttribute);
  return type === 'M' ? fromItem(value as Item) : value;
};

const fromItem = (item: Item): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, attribute]) => [name, fromAttribute(attribute)]));

const MARSHALLED = ['Key', 'Item', 'ExpressionAttributeValues'];

const encode = (input: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, MARSHALLED.includes(name) ? toItem(value as object) : value]),
  );

/** Without indexes, because dynalite's actions above read items by their keys. */
const TABLE = (({ AttributeDefinitions, KeySchema }) => ({ AttributeDefinitions, KeySchema, TableStatus: 'ACTIVE' }))(
  createTableInput('objects'),
);

const storeOver = (items: Map<string, Item>) => ({
  options: { maxItemSize: 400 * 1024 },
  getTable: (_: string, callback: (error: null, table: object) => void) => callback(null, TABLE),
  getItemDb: () => ({
    lock: (_: string, act: (release: (callback: Callback) => Callback) => void) => act((callback) => callback),
    get: (key: string, callback: (error: Error | null, item?: Item) => void) => {
      const item = items.get(key);
      callback(item ? null : Object.assign(new Error('not found'), { name: 'NotFoundError' }), item);
    },
    put: (key: string, item: Item, callback: (error: null) => void) => {
      items.set(key, item);
      callback(null);
    },
    del: (key: string, callback: (error: null) => void) => {
      items.delete(key);
      callback(null);
    },
  }),
});

const errorOf = (error: Error & { body?: { __type?: string } }): Error => {
  error.name = error.body?.__type?.split('#')[1] ?? error.name;
  return error;
};

export interface MemoryTable {
  /** Carries out a request immediately. Throws the same errors as the client. */
  run(command: Command): unknown;
  /** All items, as objects. */
  items(): Record<string, unknown>[];
}

export interface TableOptions {
  /** Simulates a build without conditions: every condition of a write counts as met. */
  isUnconditional?: boolean;
}

export const makeMemoryTable = ({ isUnconditional = false }: TableOptions = {}): MemoryTable => {
  const items = new Map<string, Item>();
  const store = storeOver(items);
  return {
    items: () => [...items.values()].map(fromItem),
    run: ({ constructor: { name }, input }) => {
      const known = actions.get(name);
      if (known === undefined) throw new Error(`the table in memory knows no ${name}`);
      const data = encode(input);
      const invalid = known.validate(data, store);
      if (invalid) throw new Error(`${name}: ${invalid}`);
      // dynalite's validation stores the parsed condition in this member.
      if (isUnconditional) delete data._condition;
      let outcome: { error: Error | null; result?: { Item?: Item; Attributes?: Item } } | undefined;
      known.act(store, data, (error, result) => {
        outcome = { error, ...(result ? { result } : {}) };
      });
      if (outcome === undefined) throw new Error(`${name} did not answer at once`);
      if (outcome.error) throw errorOf(outcome.error);
      const { Item: item, Attributes: attributes } = outcome.result ?? {};
      return { ...(item ? { Item: fromItem(item) } : {}), ...(attributes ? { Attributes: fromItem(attributes) } : {}) };
    },
  };
};

interface Query {
  IndexName?: string;
  ExpressionAttributeValues: Record<string, unknown>;
}

/** A client that only queries the index of due work, as it was when the table had these items. */
export const indexOf = (items: readonly Record<string, unknown>[]): DynamoDBDocumentClient =>
  clientOf(async ({ constructor: { name }, input }) => {
    const { IndexName: index, ExpressionAttributeValues: values } = input as Query;
    if (name !== 'QueryCommand' || index !== DUE.name) throw new Error(`the index knows no ${name} of ${index}`);
    const [shard, until] = Object.values(values);
    return { Items: items.filter(({ dueShard, dueAt }) => dueShard === shard && Number(dueAt) <= Number(until)) };
  });

/** The part of the document client that the stores use. */
export const clientOf = (send: (command: Command) => Promise<unknown>): DynamoDBDocumentClient =>
  // The SDK's paginators accept only instances of the class.
  Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send });
