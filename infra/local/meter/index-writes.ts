/**
 * What the indexes of a table add to the price of its writes. DynamoDB bills an entry that is made, changed or removed
 * in an index as a write of its own, and one that moves as two. The entries are known from the writes themselves:
 * dynalite does not count them.
 */
import { type GlobalIndex, type LocalIndex, OBJECT_TABLE, type TableShape } from '../../../shared/store/table.ts';
import { assignments, type Expression } from './assignments.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** A write as it is sent to DynamoDB; only the parts that indexes depend on. */
export interface TableWrite extends Expression {
  Item?: Attributes;
  Key?: Attributes;
}

const keysOf = (index: LocalIndex | GlobalIndex): string[] =>
  'partitionKey' in index ? [(index as GlobalIndex).partitionKey.name, index.sortKey.name] : [index.sortKey.name];

/** An entry as text; undefined if the item is not in the index. */
const entryOf = (index: LocalIndex | GlobalIndex, item: Attributes): string | undefined => {
  const values = keysOf(index).map((name) => item[name]);
  return values.every((value) => value !== undefined) ? JSON.stringify(values) : undefined;
};

const writesOf = (index: LocalIndex | GlobalIndex, before: Attributes, after: Attributes): number => {
  const [from, to] = [entryOf(index, before), entryOf(index, after)];
  if (from !== to) return (from === undefined ? 0 : 1) + (to === undefined ? 0 : 1);
  return to !== undefined && index.projection === 'ALL' ? 1 : 0;
};

/** Follows the writes to a table; `count` says how many write units the indexes take for the next one, which succeeded. */
export const makeIndexWrites = (shape: TableShape = OBJECT_TABLE) => {
  const indexes = [...shape.localIndexes, ...shape.globalIndexes];
  const own = [shape.partitionKey.name, shape.sortKey.name];
  const kept = [...new Set([...own, ...indexes.flatMap(keysOf)])];
  /** What the indexes know of each item, by its key. */
  const items = new Map<string, Attributes>();

  const keyOf = (attributes: Attributes): string => JSON.stringify(own.map((name) => attributes[name]));
  const pick = (attributes: Attributes): Attributes =>
    Object.fromEntries(kept.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])));

  const after = (operation: string, write: TableWrite, before: Attributes): Attributes => {
    if (operation === 'PutItem') return pick(write.Item ?? {});
    if (operation === 'DeleteItem') return {};
    return pick({ ...before, ...write.Key, ...assignments(write) });
  };

  return {
    count: (operation: string, write: TableWrite): number => {
      const key = keyOf(write.Key ?? write.Item ?? {});
      const before = items.get(key) ?? {};
      const now = after(operation, write, before);
      if (Object.keys(now).length > 0) items.set(key, now);
      else items.delete(key);
      return indexes.reduce((sum, index) => sum + writesOf(index, before, now), 0);
    },
  };
};
