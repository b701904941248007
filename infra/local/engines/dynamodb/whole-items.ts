/** The relevant parts of the function with which dynalite reads a page of a table or index. */
export type QueryTable = (
  store: Store,
  table: unknown,
  data: unknown,
  options: unknown,
  isLocal: boolean,
  fetchesItems: boolean,
  startKeyNames: unknown,
  done: (error: unknown, page?: unknown) => void,
) => void;

type Got = (error: unknown, item?: object) => void;

interface Store {
  getItemDb(name: string): { get(key: string, done: Got): void };
}

/** `store`, with an empty item instead of a missing one; `onMissing` is called then. */
const withoutGaps = (store: Store, onMissing: () => void): Store => ({
  ...store,
  getItemDb: (name) => {
    const items = store.getItemDb(name);
    const get = (key: string, done: Got): void =>
      items.get(key, (error, item) => {
        if (!error && item === undefined) onMissing();
        done(error, item ?? {});
      });
    return { ...items, get };
  },
});

/**
 * Reads a page again if one of its items was deleted after the index named it. dynalite treats such an item as one
 * without a value, and its exception ends the process.
 */
export const wholeItems =
  (queryTable: QueryTable): QueryTable =>
  (store, table, data, options, isLocal, fetchesItems, startKeyNames, done) => {
    if (!fetchesItems) return queryTable(store, table, data, options, isLocal, fetchesItems, startKeyNames, done);
    const attempt = (): void => {
      let isMissing = false;
      const whole = withoutGaps(store, () => {
        isMissing = true;
      });
      queryTable(whole, table, data, options, isLocal, fetchesItems, startKeyNames, (error, page) =>
        isMissing ? attempt() : done(error, page),
      );
    };
    attempt();
  };
