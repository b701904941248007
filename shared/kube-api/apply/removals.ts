import { createSet, difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { remove, withNamedFields } from './remove.ts';
import type { PartSchema } from './shape.ts';

/** An object always has metadata, whoever gives up labels. */
const METADATA = 'f:metadata';

const named = (schema: PartSchema, set: FieldSet): FieldSet => {
  const result = withNamedFields(schema, set);
  const metadata = result.children.get(METADATA);
  if (metadata?.owned) result.children.set(METADATA, { ...metadata, owned: false });
  return result;
};

/**
 * `merged` without what the applier had in its last config and leaves out now (`last`). What any manager still owns
 * (`owned`, the new config included) stays, and so do items that the applier never owned.
 */
export const removeAbandoned = (
  schema: PartSchema,
  merged: unknown,
  { last, owned }: { last: FieldSet; owned: readonly FieldSet[] },
): unknown => {
  if (isEmpty(last)) return merged;
  const lastNamed = named(schema, last);
  const all = named(schema, fieldSetOf(schema, merged));
  const kept = named(schema, owned.reduce(union, createSet()));
  const bare = named(schema, fieldSetOf(schema, remove(schema, merged, lastNamed, 'null')));
  const restored = remove(schema, merged, difference(all, union(bare, kept)), 'null');
  const gone = difference(all, named(schema, fieldSetOf(schema, restored)));
  return remove(schema, merged, intersection(gone, lastNamed));
};
