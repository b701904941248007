import { createSet, type FieldSet } from './field-set.ts';
import { fieldOf } from './path-element.ts';
import { fieldSchema, type PartSchema } from './shape.ts';

/**
 * A stored set by a schema that has changed since: who owned parts of a list or map that is atomic now owns all of it.
 * The very same set where nothing of it has become atomic. A field that has become granular is left as it is
 * (structured-merge-diff, ReconcileFieldSetWithSchema).
 */
export const reconciled = (schema: PartSchema, set: FieldSet): FieldSet => {
  if (!schema || set.children.size === 0) return set;
  if (isAtomic(schema)) return createSet(true);
  const children = new Map(set.children);
  let changed = false;
  for (const [element, child] of set.children) {
    const name = fieldOf(element);
    const part = reconciled(name === undefined ? schema.items : fieldSchema(schema, name), child);
    if (part === child) continue;
    children.set(element, part);
    changed = true;
  }
  return changed ? { owned: set.owned, children } : set;
};

/** A map of anything has no parts by a schema. */
const isAtomic = (schema: NonNullable<PartSchema>): boolean => {
  if (schema.type === 'array') return !['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? 'atomic');
  const isFree = schema['x-kubernetes-preserve-unknown-fields'] === true && schema.properties === undefined;
  return schema['x-kubernetes-map-type'] === 'atomic' && !isFree;
};
