/** What dynalite reads a page of a table or index by; the parts that matter here. */
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

/** `store`, in which a missing item is an empty one; `onMissing` is called. */
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
 * Reads a page again if one of its items was deleted after the index had named it. dynalite takes such an item for one
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
