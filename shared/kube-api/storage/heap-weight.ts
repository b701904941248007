/**
 * How much memory a value takes that was parsed from JSON: V8's sizes, measured with the shapes that take the most
 * memory for their text (heap-weight.test.ts). The text alone shows nothing: `{}` takes 64 bytes, and a long string
 * takes only its characters.
 */

/**
 * The bytes of a string, an array, its items if there are any, an object, an object without keys, and an entry in a
 * list or an object.
 */
const STRING = 20;
const ARRAY = 32;
const ITEMS = 16;
const OBJECT = 24;
const EMPTY_OBJECT = 56;
const SLOT = 8;
const DOUBLE = 16;

/** V8's bytes for a key, and for each step in a sequence of keys that no object had before. */
const KEY = 40;
const SHAPE = 176;

/** An object with numeric keys has a separate table for them, and so has one with very many keys. */
const INDEXED = 184;
const MOST_IN_SHAPE = 128;
const SLOT_OF_TABLE = 48;

/**
 * Keys and shapes are shared, so the second Machine takes much less than the first. The scale itself must not take much
 * memory either: it learns a limited number for one namespace and for all.
 */
const MOST_OF_ONE = 4_000;
const MOST_OF_ALL = 50_000;

/** Weighs objects of many namespaces, which share keys and shapes. */
export interface Scale {
  /** Bytes. `isWide`: strings have characters that take two bytes. */
  weigh(namespace: string, value: unknown, isWide?: boolean): number;
}

/** The known keys and shapes by their numbers. A shape consists of one with fewer keys and another key. */
interface Known {
  keys: Map<string, number>;
  shapes: Map<number, number>;
  ofNamespace: Map<string, number>;
}

/** The shape of an object without keys, and an unknown one. */
const NO_KEYS = 0;
const UNKNOWN = -1;

const mayLearn = ({ keys, shapes, ofNamespace }: Known, namespace: string): boolean => {
  const own = ofNamespace.get(namespace) ?? 0;
  if (own >= MOST_OF_ONE || keys.size + shapes.size >= MOST_OF_ALL) return false;
  ofNamespace.set(namespace, own + 1);
  return true;
};

const isIndex = (key: string): boolean => {
  const code = key.charCodeAt(0);
  return code >= 48 && code <= 57;
};

interface Weighing {
  known: Known;
  namespace: string;
  isWide: boolean;
  /** Values that must still be weighed. They may be nested deeper than the stack allows. */
  open: unknown[];
}

/** The text of a key, which is stored once. */
const weighKey = ({ known, namespace, isWide }: Weighing, key: string): number => {
  if (known.keys.has(key)) return 0;
  if (mayLearn(known, namespace)) known.keys.set(key, known.keys.size);
  return KEY + key.length * (isWide ? 2 : 1);
};

/** The shape with one more key, and V8's bytes for it if it is new. */
const extendShape = ({ known, namespace }: Weighing, shape: number, key: string): [shape: number, bytes: number] => {
  const id = known.keys.get(key);
  if (shape === UNKNOWN || id === undefined) return [UNKNOWN, SHAPE];
  const step = shape * MOST_OF_ALL + id;
  const next = known.shapes.get(step);
  if (next !== undefined) return [next, 0];
  if (!mayLearn(known, namespace)) return [UNKNOWN, SHAPE];
  known.shapes.set(step, known.shapes.size + 1);
  return [known.shapes.size, SHAPE];
};

const weighShape = (keys: readonly string[], weighing: Weighing): number => {
  let bytes = keys.length * SLOT;
  let shape = NO_KEYS;
  for (const key of keys) {
    const [next, added] = extendShape(weighing, shape, key);
    shape = next;
    bytes += added;
  }
  return bytes;
};

const weighKeys = (keys: readonly string[], weighing: Weighing): number => {
  let bytes = keys.some(isIndex) ? INDEXED : 0;
  for (const key of keys) bytes += weighKey(weighing, key);
  return bytes + (keys.length > MOST_IN_SHAPE ? keys.length * SLOT_OF_TABLE : weighShape(keys, weighing));
};

const weighList = (list: readonly unknown[], { open }: Weighing): number => {
  if (list.length === 0) return ARRAY;
  for (const item of list) open.push(item);
  return ARRAY + ITEMS + list.length * SLOT;
};

const weighObject = (object: object, weighing: Weighing): number => {
  const keys = Object.keys(object);
  for (const key of keys) weighing.open.push((object as Record<string, unknown>)[key]);
  return (keys.length > 0 ? OBJECT : EMPTY_OBJECT) + weighKeys(keys, weighing);
};

/** Weighs a value without its members, which are added to the open ones. */
const weighOne = (value: unknown, weighing: Weighing): number => {
  if (typeof value === 'string') return STRING + value.length * (weighing.isWide ? 2 : 1);
  if (typeof value === 'number') return Number.isInteger(value) ? 0 : DOUBLE;
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? weighList(value, weighing) : weighObject(value, weighing);
};

export const makeScale = (): Scale => {
  const known: Known = { keys: new Map(), shapes: new Map(), ofNamespace: new Map() };
  return {
    weigh: (namespace, value, isWide = false) => {
      const open = [value];
      const weighing = { known, namespace, isWide, open };
      let bytes = 0;
      while (open.length > 0) bytes += weighOne(open.pop(), weighing);
      return bytes;
    },
  };
};
