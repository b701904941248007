import type { AwsFault } from '../wire/fault.ts';
import { checkForm, type Kind } from './kinds.ts';

/** What every resource has. */
export interface Resource {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** From when on a describe sees it; later than `createdAt` where eventual consistency is switched on. */
  readonly visibleAt: number;
  /** Grows with every resource: the order of descriptions and the position in a paginated one. */
  readonly sequence: number;
  readonly tags: Map<string, string>;
}

export interface Table<Row extends Resource> {
  readonly kind: Kind;
  add(row: Row): Row;
  remove(id: string): void;
  /** Every row that exists, whether a describe sees it or not. */
  all(): Row[];
  find(id: string): Row | undefined;
  /** The row, or AWS's fault for an id that is malformed or does not exist (or is not visible yet). */
  get(id: string | undefined): Row;
  /** Rows that a describe sees: those of `ids`, or all. Throws AWS's fault when one of `ids` is not seen. */
  seen(ids: readonly string[] | undefined): Row[];
}

export interface TableOptions<Row> {
  readonly kind: Kind;
  readonly now: () => number;
  /** True where AWS has forgotten a row, for example an hour after an instance was terminated. */
  readonly isForgotten?: (row: Row, now: number) => boolean;
}

export const makeTable = <Row extends Resource>({ kind, now, isForgotten }: TableOptions<Row>): Table<Row> => {
  const rows = new Map<string, Row>();
  const forget = (): void => {
    const at = now();
    for (const [id, row] of rows) if (isForgotten?.(row, at)) rows.delete(id);
  };
  const missing = (ids: readonly string[]): AwsFault => kind.notFound(ids.join(', '));
  const visible = (id: string): Row | undefined => {
    checkForm(kind, id);
    const row = rows.get(id);
    return row && row.visibleAt <= now() ? row : undefined;
  };
  return {
    kind,
    add: (row) => {
      rows.set(row.id, row);
      return row;
    },
    remove: (id) => {
      rows.delete(id);
    },
    all: () => {
      forget();
      return [...rows.values()];
    },
    find: (id) => {
      forget();
      return rows.get(id);
    },
    get: (id = '') => {
      forget();
      const row = visible(id);
      if (!row) throw missing([id]);
      return row;
    },
    seen: (ids) => {
      forget();
      if (!ids?.length) return [...rows.values()].filter(({ visibleAt }) => visibleAt <= now());
      const unseen = ids.filter((id) => !visible(id));
      if (unseen.length > 0) throw missing(unseen);
      return [...new Set(ids)].flatMap((id) => rows.get(id) ?? []);
    },
  };
};
