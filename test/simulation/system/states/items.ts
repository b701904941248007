/**
 * The items of the table, read without requests, because reading must not affect what happens next. Must be imported
 * before the simulated DynamoDB, whose database is extended here.
 */
import { createRequire } from 'node:module';

interface Operation {
  type: 'put' | 'del';
  key: string;
  value?: string;
}

/** The parts of abstract-level that databases implement. */
interface Level {
  _put(key: string, value: string, options: object): Promise<void>;
  _del(key: string, options: object): Promise<void>;
  _batch(operations: readonly Operation[], options: object): Promise<void>;
}

type LevelClass = new (options: object) => Level;

export interface Items {
  /** Increases with each write. */
  version: number;
  /** Items as JSON in DynamoDB's format, by the keys of the database. */
  readonly texts: Map<string, string>;
}

/** DynamoDB's format of an item, as far as it is read here. */
export type Attributes = Readonly<Record<string, { S?: string; N?: string; B?: string } | undefined>>;

/** The items of the latest database. */
let items: Items = { version: 0, texts: new Map() };

export const itemsNow = (): Items => items;

/** Keys of items have the form `item-<table>~<key>`. Others belong to tables and indexes. */
const isItem = (key: string): boolean => key.startsWith('item-');

const mirrored = (Base: LevelClass): LevelClass =>
  class extends Base {
    readonly #own: Items = { version: 0, texts: new Map() };

    constructor(options: object) {
      super(options);
      items = this.#own;
    }

    #apply({ type, key, value = '' }: Operation): void {
      if (!isItem(key)) return;
      this.#own.version += 1;
      if (type === 'put') this.#own.texts.set(key, value);
      else this.#own.texts.delete(key);
    }

    override _put(key: string, value: string, options: object): Promise<void> {
      this.#apply({ type: 'put', key, value });
      return super._put(key, value, options);
    }

    override _del(key: string, options: object): Promise<void> {
      this.#apply({ type: 'del', key });
      return super._del(key, options);
    }

    override _batch(operations: readonly Operation[], options: object): Promise<void> {
      for (const operation of operations) this.#apply(operation);
      return super._batch(operations, options);
    }
  };

const require = createRequire(import.meta.url);
const memory = createRequire(require.resolve('dynalite'))('memory-level') as { MemoryLevel: LevelClass };
memory.MemoryLevel = mirrored(memory.MemoryLevel);
