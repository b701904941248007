/**
 * The memory that lists of many namespaces may take together, so that no namespace can use up the memory of all others.
 */
import { makeScale } from './heap-weight.ts';

/** In bytes. */
export interface ReadLimits {
  /** The limit for one namespace. */
  readonly namespace: number;
  /** The limit for all of them together. */
  readonly total: number;
}

/**
 * A storage charges what it reads to namespaces. One that is over its limit is left out of lists completely: with only
 * a part of it, the rest would seem not to exist.
 */
export interface ReadBudget {
  /** Charges an object that was just read; false if its namespace is left out. */
  admit(namespace: string, object: unknown, isWide?: boolean): boolean;
  /** The same for a number of bytes. */
  charge(namespace: string, bytes: number): boolean;
  isLeftOut(namespace: string): boolean;
  /** Empties a list of a namespace as soon as the namespace is left out, until the returned function is called. */
  hold(namespace: string, list: unknown[]): () => void;
  /**
   * From now on, only the namespace that is being read is left out, because the objects of the others are in use. The
   * largest one is reported nevertheless.
   */
  settle(): void;
  /** The namespaces that are too large, with their bytes when this was found: they must not be read next time. */
  exceeded(): ReadonlyMap<string, Excess>;
}

export interface Excess {
  readonly bytes: number;
  /** Whether the namespace alone is too large, or was the largest when all together were too large. */
  readonly isAlone: boolean;
}

/** Bytes per object in addition to its JSON: the record, copies with it, and entries in lists and maps. */
const BYTES_OF_AN_OBJECT = 1024;

const largestOf = (charges: ReadonlyMap<string, number>): string | undefined =>
  [...charges].reduce<[string, number] | undefined>(
    (most, one) => (most && most[1] >= one[1] ? most : one),
    undefined,
  )?.[0];

/** `leftOut` are left out from the start, and are not among the exceeded. */
export const makeReadBudget = (limits: ReadLimits, leftOut: Iterable<string> = []): ReadBudget => {
  const scale = makeScale();
  const out = new Set(leftOut);
  const excesses = new Map<string, Excess>();
  const charges = new Map<string, number>();
  const held = new Map<string, Set<unknown[]>>();
  let total = 0;
  let isSettled = false;

  const report = (namespace: string, isAlone: boolean): void =>
    void excesses.set(namespace, { bytes: charges.get(namespace) ?? 0, isAlone });

  const leaveOut = (namespace: string): void => {
    const bytes = charges.get(namespace) ?? 0;
    out.add(namespace);
    charges.delete(namespace);
    total -= bytes;
    for (const list of held.get(namespace) ?? []) list.length = 0;
    held.delete(namespace);
  };

  const charge = (namespace: string, bytes: number): boolean => {
    if (out.has(namespace)) return false;
    const own = (charges.get(namespace) ?? 0) + bytes;
    charges.set(namespace, own);
    total += bytes;
    if (own > limits.namespace) {
      report(namespace, true);
      leaveOut(namespace);
    }
    while (total > limits.total) {
      const largest = largestOf(charges) ?? namespace;
      if (!excesses.has(largest)) report(largest, false);
      leaveOut(isSettled ? namespace : largest);
    }
    return !out.has(namespace);
  };

  return {
    charge,
    admit: (namespace, object, isWide) =>
      !out.has(namespace) && charge(namespace, BYTES_OF_AN_OBJECT + scale.weigh(namespace, object, isWide)),
    isLeftOut: (namespace) => out.has(namespace),
    hold: (namespace, list) => {
      const lists = held.get(namespace) ?? new Set();
      held.set(namespace, lists.add(list));
      return () => void lists.delete(list);
    },
    settle: () => {
      isSettled = true;
    },
    exceeded: () => excesses,
  };
};
