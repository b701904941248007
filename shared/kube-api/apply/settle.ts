import type { Comparison } from './compare.ts';
import { difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';

/** The fields of another manager that a write would change. */
export interface Conflict {
  manager: Manager;
  fields: FieldSet;
}

/** Who else owns what the comparison adds or modifies; `applier` is the identity that cannot conflict with itself. */
export const findConflicts = (managers: Managers, { added, modified }: Comparison, applier: string): Conflict[] => {
  const touched = union(modified, added);
  return [...managers].flatMap(([identity, manager]) => {
    const fields = identity === applier ? undefined : intersection(manager.set, touched);
    return fields && !isEmpty(fields) ? [{ manager, fields }] : [];
  });
};

/** The manager with another set; the very same where the set is. */
export const owning = (manager: Manager, set: FieldSet): Manager => {
  if (set === manager.set) return manager;
  const { entry: _, ...rest } = manager;
  return { ...rest, set };
};

/** The managers after a write: none but the writer keeps a field that the write changed, nobody one that it removed. */
export const yieldFields = (
  managers: Managers,
  { added, modified, removed }: Comparison,
  writer?: string,
): Map<string, Manager> => {
  const lost = union(removed, union(modified, added));
  const result = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const left = identity === writer ? manager : owning(manager, difference(manager.set, lost));
    if (!isEmpty(left.set)) result.set(identity, left);
  }
  return result;
};
