/** What dynalite reads a page of a table or index with. */
interface Iterator {
  close(): Promise<void>;
}

/** A database of `level` or `memory-level`; the parts that matter here. */
export interface Database {
  values(options: unknown): Iterator;
  keys(options: unknown): Iterator;
}

const closable = (iterator: Iterator): Iterator => Object.assign(iterator, { return: () => iterator.close() });

/**
 * Closes the iterators of a database once their streams end. dynalite calls `return`, which only generators have, and
 * a database keeps each open iterator, with all items as they were when it was opened.
 */
export const closeIterators = (database: Database): void => {
  const [values, keys] = [database.values.bind(database), database.keys.bind(database)];
  Object.assign(database, {
    values: (options: unknown) => closable(values(options)),
    keys: (options: unknown) => closable(keys(options)),
  });
};
