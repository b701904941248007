import { Buffer } from 'node:buffer';
import { asData, type CelValue, Duration, isList, isMap, numberOf, readable, Timestamp, typeOf } from './value.ts';

type List = readonly CelValue[];

/** What identifies an item: its whole value in a `set` list, or these keys in a `map` list. */
export type Identity = 'set' | readonly string[];

const identities = new WeakMap<List, Identity>();

/** Marks a list as a value of a schema. If it has an identity, its order does not matter. */
export const asListOf = (identity: Identity | undefined, list: List): List => {
  if (identity) identities.set(list, identity);
  return asData(list);
};

/** The identity of the items of a list from a schema, or undefined if order matters. */
export const identityOf = (list: List): Identity | undefined => identities.get(list);

/** A string that two values share only if they are equal. */
const textOf = (item: CelValue): string => {
  const value = readable(item);
  const number = numberOf(value);
  if (number !== undefined) return `number ${number}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  if (value instanceof Timestamp || value instanceof Duration) return `${typeOf(value)} ${value.ns}`;
  if (isList(value)) return JSON.stringify(['list', ...value.map(textOf)]);
  if (!isMap(value)) return `${typeOf(value)} ${value}`;
  return JSON.stringify(['map', ...[...value].map(([key, member]) => textOf([key, member])).sort()]);
};

const keyOf = (identity: Identity, item: CelValue): string => {
  const value = readable(item);
  if (identity === 'set' || !isMap(value)) return textOf(value);
  return JSON.stringify(identity.map((key) => textOf(value.get(key) ?? null)));
};

/** Indexes the items of a list by their identity. */
export const itemsByKey = (identity: Identity, list: List): Map<string, CelValue> =>
  new Map(list.map((item) => [keyOf(identity, item), item]));
