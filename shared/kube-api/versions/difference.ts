import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json.ts';

/** One step of a path: the key of a member, or the field and value that identify a list item. */
type Step = string | { [field: string]: string };

/** One difference at a path; `from` or `to` is absent if there is no value. */
export interface Edit {
  at: Step[];
  from?: unknown;
  to?: unknown;
}

/**
 * Returns the edits that turn `from` into `to`. They are as deep as possible, so that they still apply if another part
 * of the value changes. List items are identified by name; a list without names is a single value.
 */
export const difference = (from: unknown, to: unknown, at: Step[] = []): Edit[] => {
  if (isDeepStrictEqual(from, to)) return [];
  if (isObject(from) && isObject(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => difference(own(from, key), own(to, key), [...at, key]));
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const field = sharedName(from, to);
    if (field) return from.flatMap((item, index) => difference(item, to[index], [...at, { [field]: item[field] }]));
  }
  return [{ at, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
};

/**
 * Returns a copy of `value` with the edits applied. Skips edits whose `from` is no longer the current value, and those
 * with a path that `difference` does not produce, because users can write edits into objects that they may change.
 */
export const edit = (value: unknown, edits: readonly Edit[]): unknown => {
  const root = createBranch();
  for (const one of edits) plant(root, one);
  return editAt(value, root);
};

/**
 * Edits as a tree of path steps, so that each part of a value is copied once, regardless of the number of edits in it.
 */
interface Branch {
  edit?: Edit;
  members: Map<string, Branch>;
  /** By field name and value. */
  items: Map<string, Map<string, Branch>>;
}

const createBranch = (): Branch => ({ members: new Map(), items: new Map() });

const plant = (root: Branch, edit: Edit): void => {
  let branch: Branch | undefined = root;
  for (const step of edit.at) branch = branch && branchAt(branch, step);
  if (branch) branch.edit ??= edit;
};

const branchAt = ({ members, items }: Branch, step: unknown): Branch | undefined => {
  if (typeof step === 'string') return known(members, step, createBranch);
  const [[field, name] = ['', undefined]] = isObject(step) ? Object.entries(step) : [];
  if (typeof name !== 'string' || !NAMES.includes(field)) return undefined;
  const byName = known(items, field, () => new Map<string, Branch>());
  return known(byName, name, createBranch);
};

const known = <T>(map: Map<string, T>, key: string, make: () => T): T => {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
};

const editAt = (value: unknown, { edit: last, members, items }: Branch): unknown => {
  const current = last && isDeepStrictEqual(value, last.from) ? last.to : value;
  if (isObject(current)) return members.size === 0 ? current : editMembers(current, members);
  return Array.isArray(current) && items.size > 0 ? current.map((item) => editItem(item, items)) : current;
};

const editMembers = (object: JsonObject, branches: Branch['members']): JsonObject => {
  // A Map treats a member named __proto__ like any other.
  const members = new Map(Object.entries(object));
  for (const [key, branch] of branches) {
    const member = editAt(own(object, key), branch);
    if (member === undefined) members.delete(key);
    else members.set(key, member);
  }
  return Object.fromEntries(members);
};

const editItem = (item: unknown, branches: Branch['items']): unknown =>
  [...branches].reduce((edited, [field, byName]) => {
    const branch = isObject(edited) ? byName.get(own(edited, field) as string) : undefined;
    return branch ? editAt(edited, branch) : edited;
  }, item);

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** The fields that name list items in the kinds of the API. */
const NAMES = ['name', 'type', 'path', 'conditionType', 'key', 'device', 'version', 'class', 'topologyKey'];

/** The field that names the items of both lists, if both have the same names in the same order. */
const sharedName = (from: readonly unknown[], to: readonly unknown[]): string | undefined => {
  if (from.length !== to.length) return undefined;
  return NAMES.find((field) => {
    const names = from.map((item) => (isObject(item) ? own(item, field) : undefined));
    const distinct = new Set(names.filter((name) => typeof name === 'string'));
    return (
      distinct.size === from.length && to.every((item, index) => isObject(item) && own(item, field) === names[index])
    );
  });
};
