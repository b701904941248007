/** Finds the partitions of the table and of its indexes that a request uses. */
import { BY_CLUSTER, OBJECT_TABLE } from '../../../../shared/store/table.ts';
import { assignments, type Expression } from '../../../local/meter/assignments.ts';
import type { Kind } from './limits.ts';

export interface TableRequest extends Expression {
  Item?: Readonly<Record<string, unknown>>;
  Key?: Readonly<Record<string, unknown>>;
  IndexName?: string;
  KeyConditionExpression?: string;
}

export interface Touched {
  kind: Kind;
  /** The partition of the table itself; undefined for a query of a global index. */
  own: string | undefined;
  /** The partitions of global indexes, by the names of the indexes. */
  indexes: ReadonlyMap<string, string>;
}

const WRITES = ['PutCommand', 'UpdateCommand', 'DeleteCommand'];

/** The value for which a query looks in an attribute. */
const wanted = (attribute: string, request: TableRequest): string => {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names = {} } = request;
  const [, value = ''] =
    [...KeyConditionExpression.matchAll(/([#\w]+) = (:\w+)/g)]
      .map(([, name = '', placeholder]) => [names[name] ?? name, placeholder] as const)
      .find(([name]) => name === attribute) ?? [];
  return String(request.ExpressionAttributeValues?.[value]);
};

const ofQuery = (request: TableRequest): Touched => {
  const index = OBJECT_TABLE.globalIndexes.find(({ name }) => name === request.IndexName);
  const { name } = index?.partitionKey ?? OBJECT_TABLE.partitionKey;
  const partition = wanted(name, request);
  return index
    ? { kind: 'read', own: undefined, indexes: new Map([[index.name, `${index.name} ${partition}`]]) }
    : { kind: 'read', own: partition, indexes: new Map() };
};

/** Remembers the writes, because an index may use attributes that an earlier write of an item has set. */
export const makePartitionsOf = () => {
  const known = new Map<string, Readonly<Record<string, unknown>>>();

  const ofWrite = (command: string, request: TableRequest): Touched => {
    const { pk, sk } = (request.Key ?? request.Item ?? {}) as Record<string, string>;
    const before = known.get(`${pk} ${sk}`) ?? {};
    const after = command === 'PutCommand' ? (request.Item ?? {}) : { ...before, ...assignments(request) };
    known.set(`${pk} ${sk}`, after);
    const indexes = OBJECT_TABLE.globalIndexes.flatMap(({ name, partitionKey }) => {
      const value = after[partitionKey.name] ?? before[partitionKey.name];
      return value === undefined ? [] : [[name, `${name} ${String(value)}`] as const];
    });
    return { kind: 'write', own: pk, indexes: new Map(indexes) };
  };

  /** Throws for an unknown command. */
  return (command: string, request: TableRequest): Touched => {
    if (command === 'QueryCommand') return ofQuery(request);
    if (command === 'GetCommand') return { kind: 'read', own: String(request.Key?.pk), indexes: new Map() };
    if (WRITES.includes(command)) return ofWrite(command, request);
    throw new Error(`${command} goes to partitions that are not known`);
  };
};

/** A local index belongs to the partition of its items. */
export const LOCAL_INDEX: string = BY_CLUSTER.name;
