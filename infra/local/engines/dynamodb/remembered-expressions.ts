/**
 * Caches expressions that dynalite has parsed. Clients send the same few texts with other values thousands of times,
 * and dynalite's parser costs more than the rest of a small request. The result depends on the text, the names, and the
 * types of the values; only `BETWEEN` and `attribute_type` use the values themselves.
 */
import { LRUCache } from 'lru-cache';

type Dictionary = Record<string, unknown>;

/** What dynalite passes to its parsers in addition to the text. */
export interface ExpressionContext {
  attrNames?: Dictionary;
  attrVals?: Record<string, object>;
  /** What remains in the end was sent but not used, which DynamoDB refuses. */
  unusedAttrNames: Dictionary;
  unusedAttrVals: Dictionary;
}

/** Returns a tree with the values of the context; for an invalid expression, returns a text or throws. */
export type ParseExpression = (text: string, options: { context: ExpressionContext }) => unknown;

/** Stands for a value in a cached tree. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Remembered {
  tree: object;
  names: readonly string[];
  values: readonly string[];
}

const MOST = 1000;

const LOOKS_AT_VALUES = /between|attribute_type/i;

/** A copy of the tree; `swap` returns the replacement of an object, or undefined for one that is copied. */
const copy = (tree: unknown, swap: (one: object) => unknown): unknown => {
  if (typeof tree !== 'object' || tree === null) return tree;
  const other = swap(tree);
  if (other !== undefined) return other;
  if (Array.isArray(tree)) return tree.map((one) => copy(one, swap));
  const members = Object.entries(tree).map(([name, value]) => [name, copy(value, swap)] as const);
  // Some of dynalite's dictionaries have no prototype.
  return Object.assign(Object.create(Object.getPrototypeOf(tree)), Object.fromEntries(members));
};

const keyOf = (text: string, { attrNames = {}, attrVals = {} }: ExpressionContext): string => {
  const types = Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)]);
  return JSON.stringify([text, attrNames, types]);
};

const allOf = (dictionary: object = {}): Dictionary =>
  Object.fromEntries(Object.keys(dictionary).map((name) => [name, true]));

const missingIn = (dictionary: object = {}, left: Dictionary): string[] =>
  Object.keys(dictionary).filter((name) => !(name in left));

/** A parser like `parse` with a cache. Invalid expressions are parsed every time. */
export const remembering = (parse: ParseExpression): ParseExpression => {
  const known = new LRUCache<string, Remembered>({ max: MOST });

  /** Undefined for an invalid expression. */
  const parseFresh = (text: string, context: ExpressionContext): Remembered | undefined => {
    const { attrNames, attrVals = {} } = context;
    // A separate record, because another expression of the request may already have used some.
    const unused = { unusedAttrNames: allOf(attrNames), unusedAttrVals: allOf(attrVals) };
    const result = parse(text, { context: { ...context, ...unused } });
    if (typeof result !== 'object' || result === null) return undefined;
    const slots = new Map<object, Slot>(Object.entries(attrVals).map(([name, value]) => [value, new Slot(name)]));
    return {
      tree: copy(result, (one) => slots.get(one)) as object,
      names: missingIn(attrNames, unused.unusedAttrNames),
      values: missingIn(attrVals, unused.unusedAttrVals),
    };
  };

  return (text, options) => {
    const { context } = options;
    if (LOOKS_AT_VALUES.test(text)) return parse(text, options);
    const key = keyOf(text, context);
    const found = known.get(key) ?? parseFresh(text, context);
    if (found === undefined) return parse(text, options);
    known.set(key, found);
    for (const name of found.names) delete context.unusedAttrNames[name];
    for (const name of found.values) delete context.unusedAttrVals[name];
    return copy(found.tree, (one) => (one instanceof Slot ? context.attrVals?.[one.name] : undefined));
  };
};
