import { Readable } from 'node:stream';

/** The iterator with which dynalite reads a page of a table or index. */
interface Iterator {
  /** At most this many of the next entries; empty at the end. */
  nextv(size: number): Promise<unknown[]>;
  close(): Promise<void>;
}

/** The relevant parts of a database of `level` or `memory-level`. */
export interface Database {
  values(options: unknown): Iterator;
  keys(options: unknown): Iterator;
  /** Added by dynalite. */
  createValueStream(options: unknown): Readable;
}

/** Most queries find fewer entries. */
const AT_ONCE = 16;

const closable = (iterator: Iterator): Iterator => Object.assign(iterator, { return: () => iterator.close() });

/** The values of an iterator, which is closed with the stream. */
const streamOf = (iterator: Iterator): Readable =>
  new Readable({
    objectMode: true,
    read() {
      iterator.nextv(AT_ONCE).then(
        (values) => {
          for (const value of values) this.push(value);
          if (values.length === 0) this.push(null);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      iterator.close().then(
        () => done(error),
        () => done(error),
      );
    },
  });

/**
 * Closes the iterators of a database when their streams end. dynalite calls `return`, which only generators have; and a
 * database keeps each open iterator, with all items in their state when it was opened. The stream of values replaces
 * dynalite's, which calls `require` for each query and awaits each item.
 */
export const closeIterators = (database: Database): void => {
  const [values, keys] = [database.values.bind(database), database.keys.bind(database)];
  Object.assign(database, {
    values,
    keys: (options: unknown) => closable(keys(options)),
    createValueStream: (options: unknown) => streamOf(database.values(options)),
  });
};
