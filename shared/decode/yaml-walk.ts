import { isAlias, isCollection, isMap, isPair, isScalar, type Node, type Scalar } from 'yaml';

/** An error in a value: a constant word, never a part of the text. */
export type ValueFault = 'BAD_ALIAS' | 'COLLECTION_KEY';

export interface Walked {
  /** Keys that occur again in their map, in the order of the text. */
  duplicates: Scalar[];
  fault?: ValueFault;
}

/**
 * The number of characters and nodes that aliases and merge keys may add to a document: as much as the largest body
 * contains.
 */
const MAX_GROWTH = 3 * 1024 * 1024;

/** What a node costs when it is converted. */
interface Weight {
  size: number;
  /**
   * The largest number of aliases on a path below the node, multiplied along the path: a chain of aliases multiplies
   * the size.
   */
  aliases: number;
}

interface Anchored extends Weight {
  node: Node;
  uses: number;
  isOpen: boolean;
}

interface Frame extends Weight {
  items: unknown[];
  /** Twice the index of the next item, plus one for the value of a pair. */
  next: number;
  keys: Set<unknown> | undefined;
  anchored?: Anchored | undefined;
  /** The content of merge keys is copied once more. */
  copies: number;
}

interface Walk extends Walked {
  anchors: Map<string, Anchored>;
  stack: Frame[];
  own: number;
  maxAliases: number;
}

const NOTHING = { size: 0, aliases: 0 };

const isMerge = (key: unknown): boolean => isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol');

const childAt = ({ items, next }: Frame): unknown => {
  const item = items[next >> 1];
  if (isPair(item)) return next % 2 === 0 ? item.key : item.value;
  return next % 2 === 0 ? item : undefined;
};

const replaceChild = ({ items, next }: Frame, node: Node): void => {
  const item = items[next >> 1];
  if (!isPair(item)) items[next >> 1] = node;
  else if (next % 2 === 0) item.key = node;
  else item.value = node;
};

const add = (frame: Frame, { size, aliases }: Weight, times = 1): void => {
  frame.size += size * times;
  frame.aliases = Math.max(frame.aliases, aliases);
};

const anchor = (walk: Walk, node: Node, isOpen: boolean, weight: Weight): Anchored | undefined => {
  if (!('anchor' in node) || typeof node.anchor !== 'string') return undefined;
  const anchored = { node, uses: 1, isOpen, ...weight };
  walk.anchors.set(node.anchor, anchored);
  return anchored;
};

/** Counted as in the library: an alias inside the anchor of another alias counts for each use of the anchor. */
const resolve = (walk: Walk, frame: Frame, source: string): Node | undefined => {
  const found = walk.anchors.get(source);
  if (!found || found.isOpen) return undefined;
  found.uses += 1;
  const aliases = found.uses * found.aliases;
  if (aliases > walk.maxAliases) return undefined;
  add(frame, { size: found.size, aliases }, copiesOf(frame));
  return found.node;
};

const copiesOf = ({ items, next }: Frame): number => {
  const item = items[next >> 1];
  return isPair(item) && next % 2 === 1 && isMerge(item.key) ? 2 : 1;
};

const checkKey = (walk: Walk, frame: Frame, node: unknown): void => {
  if (frame.keys === undefined || frame.next % 2 === 1 || !isScalar(node)) return;
  if (frame.keys.has(node.value)) walk.duplicates.push(node);
  frame.keys.add(node.value);
};

const isKey = ({ items, next }: Frame): boolean => next % 2 === 0 && isPair(items[next >> 1]);

const enter = (walk: Walk, frame: Frame, node: unknown): void => {
  if (isCollection(node)) {
    walk.own += 1;
    const anchored = anchor(walk, node, true, NOTHING);
    const keys = isMap(node) ? new Set<unknown>() : undefined;
    const items = node.items as unknown[];
    walk.stack.push({ items, next: -1, keys, anchored, copies: copiesOf(frame), size: 1, aliases: 0 });
  } else if (isScalar(node)) {
    const weight = { size: 1 + (typeof node.value === 'string' ? node.value.length : 0), aliases: 1 };
    walk.own += weight.size;
    anchor(walk, node, false, weight);
    add(frame, weight);
  }
};

const visit = (walk: Walk, frame: Frame, child: unknown): void => {
  checkKey(walk, frame, child);
  const node = isAlias(child) ? resolve(walk, frame, child.source) : child;
  if (isKey(frame) && isCollection(node)) walk.fault ??= 'COLLECTION_KEY';
  if (!isAlias(child)) enter(walk, frame, child);
  else if (node === undefined) walk.fault = 'BAD_ALIAS';
  else replaceChild(frame, node as Node);
};

const leave = ({ stack }: Walk, { size, aliases, anchored, copies }: Frame): void => {
  stack.pop();
  if (anchored) Object.assign(anchored, { size, aliases, isOpen: false });
  const parent = stack.at(-1);
  if (parent) add(parent, { size, aliases }, copies);
};

/**
 * Walks a document once, without recursion, and replaces each alias with its node, because the library searches the
 * document for each alias. Duplicate keys are also found here, because the library compares each key with all the
 * others.
 */
export const walkYaml = (document: { contents: unknown }, maxAliases: number): Walked => {
  const items = [document.contents];
  const root: Frame = { items, next: -1, keys: undefined, copies: 1, ...NOTHING };
  const walk: Walk = { anchors: new Map(), duplicates: [], stack: [root], own: 0, maxAliases };
  for (let frame = walk.stack.at(-1); frame; frame = walk.stack.at(-1)) {
    frame.next += 1;
    if (frame.next >> 1 >= frame.items.length) leave(walk, frame);
    else visit(walk, frame, childAt(frame));
  }
  if (root.size - walk.own > MAX_GROWTH) walk.fault ??= 'BAD_ALIAS';
  return { duplicates: walk.duplicates, ...(walk.fault ? { fault: walk.fault } : {}) };
};
