import { difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import type { Changes } from './perspective.ts';

/** The fields of another manager that a write would change. */
export interface Conflict {
  manager: Manager;
  fields: FieldSet;
}

/** The other owners of what a write adds or modifies; `applier` is the identity that cannot conflict with itself. */
export const findConflicts = (managers: Managers, changes: Changes, applier: string): Conflict[] =>
  [...managers].flatMap(([identity, manager]) => {
    if (identity === applier) return [];
    const { added, modified } = changes(manager.apiVersion);
    const fields = intersection(manager.set, union(modified, added));
    return isEmpty(fields) ? [] : [{ manager, fields }];
  });

/** The manager with another set; the same object if the set is. */
export const owning = (manager: Manager, set: FieldSet): Manager => {
  if (set === manager.set) return manager;
  const { entry: _, ...rest } = manager;
  return { ...rest, set };
};

/**
 * The managers after a write: only the writer keeps a field that the write changed, and none keeps one that it removed.
 */
export const yieldFields = (managers: Managers, changes: Changes, writer?: string): Map<string, Manager> => {
  const result = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const { added, modified, removed } = changes(manager.apiVersion);
    const lost = union(removed, union(modified, added));
    const left = identity === writer ? manager : owning(manager, difference(manager.set, lost));
    if (!isEmpty(left.set)) result.set(identity, left);
  }
  return result;
};
