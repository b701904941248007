import { type CelValue, Uint } from './value.ts';

/** A map in which unsigned integers of the same value are the same key. */
export class Entries extends Map<CelValue, CelValue> {
  readonly #uints = new Map<bigint, Uint>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]> = []) {
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  override set(key: CelValue, value: CelValue): this {
    if (key instanceof Uint && !this.#uints.has(key.value)) this.#uints.set(key.value, key);
    return super.set(this.#known(key), value);
  }

  override get(key: CelValue): CelValue | undefined {
    return super.get(this.#known(key));
  }

  override delete(key: CelValue): boolean {
    return super.delete(this.#known(key));
  }

  #known(key: CelValue): CelValue {
    return key instanceof Uint ? (this.#uints.get(key.value) ?? key) : key;
  }
}

/** The keys that equal a number, in the order in which cel-go looks for them. */
const sameNumbers = (key: CelValue): CelValue[] => {
  if (key instanceof Uint) return [key.value];
  if (typeof key === 'bigint') return [new Uint(key)];
  if (typeof key !== 'number' || !Number.isInteger(key)) return [];
  return [BigInt(key), new Uint(BigInt(key))];
};

/** The value of a key, or of an equal number of another type (cel-go's common/types/map.go). */
export const entryOf = (map: ReadonlyMap<CelValue, CelValue>, key: CelValue): CelValue | undefined => {
  const exact = map.get(key);
  if (exact !== undefined) return exact;
  return sameNumbers(key)
    .map((same) => map.get(same))
    .find((value) => value !== undefined);
};
