import { Entries } from '../entries.ts';
import { identityOf } from '../list-identity.ts';
import { type CelValue, isList, isMap } from '../value.ts';
import { addedTo } from './operators.ts';

/** The lists and maps that loops are collecting. Nothing else refers to them until their loop has ended. */
export type Grown = WeakSet<object>;

const copied = <T extends object>(known: Grown, value: object, copy: () => T): T => {
  if (known.has(value)) return value as T;
  const made = copy();
  known.add(made);
  return made;
};

/**
 * Adds to the list or the map that a macro's loop collects, without copying it in each round, as cel-go does. Returns
 * undefined for other accumulators. Throws CelError if a key already exists.
 */
export const grown = (
  known: Grown,
  name: string,
  [first, second, third]: readonly CelValue[],
): CelValue | undefined => {
  if (first === undefined || second === undefined) return undefined;
  if (name === '_+_' && isList(first) && isList(second) && !identityOf(first)) {
    const list = copied(known, first, () => [...first]);
    for (const item of second) list.push(item);
    return list;
  }
  if (name !== 'cel.@mapInsert' || !isMap(first)) return undefined;
  const more = addedTo(first, second, third);
  const map = copied(known, first, () => new Entries(first));
  for (const [key, value] of more) map.set(key, value);
  return map;
};
