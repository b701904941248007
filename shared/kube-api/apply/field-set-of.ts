import { createSet, type FieldSet } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { fieldSchema, identified, isDeclared, isEmptyContainer, membersOf, type PartSchema, shapeOf } from './shape.ts';

/**
 * The paths that the writer of `value` owns: its leaves, the keys of free-form maps, the items of lists, and fields
 * that exist but are empty. The structure above them (`spec` and the like) has no owner.
 */
export const fieldSetOf = (schema: PartSchema, value: unknown): FieldSet => {
  const shape = shapeOf(schema, value);
  if (shape === 'leaf') return createSet(true);
  return shape === 'map' ? ofMap(schema, value) : ofList(schema, value);
};

const ofMap = (schema: PartSchema, value: unknown): FieldSet => {
  const set = createSet();
  for (const [name, member] of Object.entries(membersOf(value))) {
    const child = fieldSetOf(fieldSchema(schema, name), member);
    const isOwned = child.owned || !isDeclared(schema, name) || (isEmptyContainer(member) && !Array.isArray(member));
    // An empty list of items declares nothing, unlike an empty map.
    if (isOwned || child.children.size > 0) set.children.set(fieldElement(name), { ...child, owned: isOwned });
  }
  return set;
};

const ofList = (schema: PartSchema, value: unknown): FieldSet => {
  const set = createSet();
  for (const { element, value: item } of identified(schema, value)) {
    // A duplicate is owned as a whole: it is ambiguous which of the two a part belongs to.
    const child = set.children.has(element) ? createSet() : fieldSetOf(schema?.items, item);
    set.children.set(element, { ...child, owned: true });
  }
  return set;
};
