import type { AttributeDefinition, CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';

/**
 * The schema of the table as data, from which the CDK construct, the laptop and the tests create it. Local indexes can
 * only be created together with the table, so a change of `localIndexes` requires a new table.
 */

/** `S` is a string, `N` a number. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N';
}

export type Projection = 'ALL' | 'KEYS_ONLY';

export interface LocalIndex {
  readonly name: string;
  readonly sortKey: KeyAttribute;
  readonly projection: Projection;
}

export interface GlobalIndex extends LocalIndex {
  readonly partitionKey: KeyAttribute;
}

export interface TableShape {
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute;
  readonly localIndexes: readonly LocalIndex[];
  readonly globalIndexes: readonly GlobalIndex[];
  /** The attribute with the second since 1970 from which DynamoDB may drop the item. */
  readonly timeToLive: string;
}

/**
 * Objects of one cluster, strongly consistent. The index only contains keys, so an update that does not change the
 * cluster writes nothing to it.
 */
export const BY_CLUSTER = {
  name: 'byCluster',
  sortKey: { name: 'cluster', type: 'S' },
  projection: 'KEYS_ONLY',
} as const satisfies LocalIndex;

/**
 * Objects and tombstones of one resource type by resourceVersion. A watch that was disconnected for a long time catches
 * up from it.
 */
export const BY_VERSION = {
  name: 'byVersion',
  partitionKey: { name: 'resource', type: 'S' },
  sortKey: { name: 'version', type: 'N' },
  projection: 'KEYS_ONLY',
} as const satisfies GlobalIndex;

/** Sparse: clusters with unfinished work, by the time (ms since 1970) at which the sweep must handle them. */
export const DUE = {
  name: 'due',
  partitionKey: { name: 'dueShard', type: 'S' },
  sortKey: { name: 'dueAt', type: 'N' },
  projection: 'ALL',
} as const satisfies GlobalIndex;

/**
 * Sparse: infrastructure machines by their provider's name for the instance, and records of pools by the name of a
 * group that was taken over. These are the only names in the events of a cloud.
 */
export const BY_INSTANCE = {
  name: 'byInstance',
  partitionKey: { name: 'instance', type: 'S' },
  sortKey: { name: 'pk', type: 'S' },
  projection: 'KEYS_ONLY',
} as const satisfies GlobalIndex;

export const OBJECT_TABLE = {
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  localIndexes: [BY_CLUSTER],
  globalIndexes: [BY_VERSION, DUE, BY_INSTANCE],
  timeToLive: 'expires',
} as const satisfies TableShape;

/** Every attribute that is a key of the table or of an index, each once. */
const keyAttributes = (shape: TableShape): KeyAttribute[] => {
  const all = [
    shape.partitionKey,
    shape.sortKey,
    ...shape.localIndexes.map(({ sortKey }) => sortKey),
    ...shape.globalIndexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
  ];
  return [...new Map(all.map((attribute) => [attribute.name, attribute])).values()];
};

const keySchema = (partitionKey: KeyAttribute, sortKey: KeyAttribute): KeySchemaElement[] => [
  { AttributeName: partitionKey.name, KeyType: 'HASH' },
  { AttributeName: sortKey.name, KeyType: 'RANGE' },
];

/** The input of CreateTable for a table with that name, billed by request. A separate call enables time to live. */
export const createTableInput = (tableName: string, shape: TableShape = OBJECT_TABLE): CreateTableCommandInput => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: keyAttributes(shape).map(
    ({ name, type }): AttributeDefinition => ({ AttributeName: name, AttributeType: type }),
  ),
  KeySchema: keySchema(shape.partitionKey, shape.sortKey),
  LocalSecondaryIndexes: shape.localIndexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(shape.partitionKey, index.sortKey),
    Projection: { ProjectionType: index.projection },
  })),
  GlobalSecondaryIndexes: shape.globalIndexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(index.partitionKey, index.sortKey),
    Projection: { ProjectionType: index.projection },
  })),
});
