import type { AwsFault } from '../wire/fault.ts';
import { checkForm, type Kind } from './kinds.ts';

/** The fields of every resource. */
export interface Resource {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The time from which a describe call sees it; later than `createdAt` with eventual consistency. */
  readonly visibleAt: number;
  /** Increases with every resource: the order in descriptions, and the position in paginated ones. */
  readonly sequence: number;
  readonly tags: Map<string, string>;
}

export interface Table<Row extends Resource> {
  readonly kind: Kind;
  add(row: Row): Row;
  remove(id: string): void;
  /** The filter for the rows of an owner, if rows have owners. */
  readonly ownerFilter?: string;
  /** Every existing row, whether or not a describe call sees it. */
  all(): Row[];
  /** The rows of an owner: the result of `all`, filtered by the owner, but found without checking the others. */
  of(owner: string): Row[];
  find(id: string): Row | undefined;
  /** The row, or AWS's fault for an id that is malformed or does not exist (or is not visible yet). */
  get(id: string | undefined): Row;
  /** The rows that a describe call sees: those of `ids`, or all. Throws AWS's fault if one of `ids` is not visible. */
  seen(ids: readonly string[] | undefined): Row[];
  /** The rows of these owners that a describe call sees. */
  seenOf(owners: readonly string[]): Row[];
}

export interface TableOptions<Row> {
  readonly kind: Kind;
  readonly now: () => number;
  /** True if AWS no longer has a row, for example an hour after an instance was terminated. */
  readonly isForgotten?: (row: Row, now: number) => boolean;
  /** The owner of a row, which never changes, and the filter for it, if there is one. */
  readonly owner?: { readonly filter?: string; readonly of: (row: Row) => string };
}

/** Rows by owner, in the order in which they were added. */
const makeOwners = <Row extends Resource>(ownerOf: ((row: Row) => string) | undefined) => {
  const owners = new Map<string, Map<string, Row>>();
  return {
    add: (row: Row): void => {
      if (!ownerOf) return;
      const owner = ownerOf(row);
      const rows = owners.get(owner) ?? new Map();
      rows.set(row.id, row);
      owners.set(owner, rows);
    },
    remove: (row: Row): void => {
      if (!ownerOf) return;
      const owner = ownerOf(row);
      owners.get(owner)?.delete(row.id);
      if (owners.get(owner)?.size === 0) owners.delete(owner);
    },
    of: (owner: string): Row[] => {
      if (!ownerOf) throw new Error('the rows of this table have no owner');
      return [...(owners.get(owner)?.values() ?? [])];
    },
  };
};

export const makeTable = <Row extends Resource>({ kind, now, isForgotten, owner }: TableOptions<Row>): Table<Row> => {
  const rows = new Map<string, Row>();
  const owners = makeOwners(owner?.of);
  const remove = (id: string): void => {
    const row = rows.get(id);
    if (row) owners.remove(row);
    rows.delete(id);
  };
  const forgetSome = (some: Iterable<Row>): void => {
    if (!isForgotten) return;
    const at = now();
    for (const row of some) if (isForgotten(row, at)) remove(row.id);
  };
  const forget = (): void => forgetSome(rows.values());
  const find = (id: string): Row | undefined => {
    const row = rows.get(id);
    if (row) forgetSome([row]);
    return rows.get(id);
  };
  const isVisible = ({ visibleAt }: Row): boolean => visibleAt <= now();
  const ofOwner = (name: string): Row[] => {
    forgetSome(owners.of(name));
    return owners.of(name);
  };
  const missing = (ids: readonly string[]): AwsFault => kind.notFound(ids.join(', '));
  const visible = (id: string): Row | undefined => {
    checkForm(kind, id);
    const row = find(id);
    return row && isVisible(row) ? row : undefined;
  };
  return {
    kind,
    ...(owner?.filter ? { ownerFilter: owner.filter } : {}),
    add: (row) => {
      rows.set(row.id, row);
      owners.add(row);
      return row;
    },
    remove,
    all: () => {
      forget();
      return [...rows.values()];
    },
    of: ofOwner,
    find,
    get: (id = '') => {
      const row = visible(id);
      if (!row) throw missing([id]);
      return row;
    },
    seen: (ids) => {
      if (!ids?.length) {
        forget();
        return [...rows.values()].filter(isVisible);
      }
      const unseen = ids.filter((id) => !visible(id));
      if (unseen.length > 0) throw missing(unseen);
      return [...new Set(ids)].flatMap((id) => rows.get(id) ?? []);
    },
    seenOf: (names) => [...new Set(names)].flatMap(ofOwner).filter(isVisible),
  };
};
