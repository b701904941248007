import { type CelValue, numberOf } from '../value.ts';

/** Equal numbers have the same key, whatever their types. */
const keyOf = (value: CelValue): string | undefined => {
  const number = numberOf(value);
  if (number !== undefined) return `number ${number}`;
  if (typeof value === 'string') return `text ${value}`;
  return typeof value === 'boolean' ? String(value) : undefined;
};

/** The items of a list of scalars, for fast lookup. */
export class MemberSet {
  readonly #keys: ReadonlySet<string>;

  private constructor(keys: ReadonlySet<string>) {
    this.#keys = keys;
  }

  /** Returns undefined if the list has items other than strings, numbers and booleans. */
  static of(items: readonly CelValue[]): MemberSet | undefined {
    const keys = items.map(keyOf);
    return keys.includes(undefined) ? undefined : new MemberSet(new Set(keys as string[]));
  }

  has(value: CelValue): boolean {
    const key = keyOf(value);
    return key !== undefined && this.#keys.has(key);
  }
}
