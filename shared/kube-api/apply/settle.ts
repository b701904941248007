import { difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { type Changes, forEachVersion } from './perspective.ts';

/** The fields of another manager that a write would change. */
export interface Conflict {
  manager: Manager;
  fields: FieldSet;
}

/** The other owners of what a write adds or modifies; `applier` is the identity that cannot conflict with itself. */
export const findConflicts = (managers: Managers, changes: Changes, applier: string): Conflict[] => {
  const changed = forEachVersion((apiVersion) => {
    const { added, modified } = changes(apiVersion);
    return union(modified, added);
  });
  return [...managers].flatMap(([identity, manager]) => {
    if (identity === applier) return [];
    const fields = intersection(manager.set, changed(manager.apiVersion));
    return isEmpty(fields) ? [] : [{ manager, fields }];
  });
};

/** The manager with another set; the same object if the set is. */
export const owning = (manager: Manager, set: FieldSet): Manager => {
  if (set === manager.set) return manager;
  const { entry: _, ...rest } = manager;
  return { ...rest, set };
};

/**
 * The managers after a write: only the writer owns the fields that it changed, and no manager owns those that it
 * removed.
 */
export const yieldFields = (managers: Managers, changes: Changes, writer?: string): Map<string, Manager> => {
  const lost = forEachVersion((apiVersion) => {
    const { added, modified, removed } = changes(apiVersion);
    return union(removed, union(modified, added));
  });
  const result = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const left = identity === writer ? manager : owning(manager, difference(manager.set, lost(manager.apiVersion)));
    if (!isEmpty(left.set)) result.set(identity, left);
  }
  return result;
};
