import { compareElements, type PathElement } from './path-element.ts';

/**
 * A set of paths into an object, as a tree. `owned` says that the path that ends here is a member; this is independent
 * of its children. Sets are never changed once they are complete.
 */
export interface FieldSet {
  owned: boolean;
  children: Map<PathElement, FieldSet>;
}

export const createSet = (owned = false): FieldSet => ({ owned, children: new Map() });

export const EMPTY_SET: FieldSet = createSet();

/** Adds a path to a set that is still being built. */
const insert = (set: FieldSet, path: readonly PathElement[]): void => {
  let node = set;
  for (const element of path) {
    let child = node.children.get(element);
    if (!child) {
      child = createSet();
      node.children.set(element, child);
    }
    node = child;
  }
  node.owned = true;
};

export const setOf = (...paths: (readonly PathElement[])[]): FieldSet => {
  const set = createSet();
  for (const path of paths) insert(set, path);
  return set;
};

/** Branches without a member are never kept, so a set is empty if its root is. */
export const isEmpty = ({ owned, children }: FieldSet): boolean => !owned && children.size === 0;

export const equals = (a: FieldSet, b: FieldSet): boolean => {
  if (a === b) return true;
  if (a.owned !== b.owned || a.children.size !== b.children.size) return false;
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (!other || !equals(child, other)) return false;
  }
  return true;
};

export const union = (a: FieldSet, b: FieldSet): FieldSet => {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const mine = children.get(element);
    children.set(element, mine ? union(mine, child) : child);
  }
  return { owned: a.owned || b.owned, children };
};

const addAll = (into: FieldSet, { owned, children }: FieldSet): FieldSet => {
  if (owned) into.owned = true;
  for (const [element, child] of children) {
    const mine = into.children.get(element) ?? createSet();
    into.children.set(element, mine);
    addAll(mine, child);
  }
  return into;
};

/** The members of all sets. Each is visited once: an object may have thousands of managers. */
export const unionOf = (sets: readonly FieldSet[]): FieldSet => sets.reduce(addAll, createSet());

/** The members of `a` that are not members of `b`; `a` itself if nothing is removed. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => {
  if (isEmpty(b)) return a;
  let changed = a.owned && b.owned;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    const rest = other ? difference(child, other) : child;
    if (rest !== child) changed = true;
    if (!isEmpty(rest)) children.set(element, rest);
  }
  return changed ? { owned: a.owned && !b.owned, children } : a;
};

export const intersection = (a: FieldSet, b: FieldSet): FieldSet => {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    const common = other ? intersection(child, other) : EMPTY_SET;
    if (!isEmpty(common)) children.set(element, common);
  }
  return { owned: a.owned && b.owned, children };
};

export const countOf = ({ owned, children }: FieldSet): number =>
  [...children.values()].reduce((sum, child) => sum + countOf(child), owned ? 1 : 0);

/** The members, each as its path: those of a level in order, then those below. One after the other: paths may be long. */
function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<PathElement[]> {
  const children = [...set.children].toSorted(([a], [b]) => compareElements(a, b));
  for (const [element, { owned }] of children) if (owned) yield [...prefix, element];
  for (const [element, child] of children) yield* pathsOf(child, [...prefix, element]);
}

/** The paths of the first members, `most` at most. */
export const firstPathsOf = (set: FieldSet, most: number): PathElement[][] => {
  const paths: PathElement[][] = [];
  for (const path of pathsOf(set)) {
    if (paths.length >= most) break;
    paths.push(path);
  }
  return paths;
};
