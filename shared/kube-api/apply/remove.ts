import { createSet, type FieldSet } from './field-set.ts';
import { fieldElement, fieldOf } from './path-element.ts';
import { fieldSchema, identified, isDeclared, isEmptyContainer, membersOf, type PartSchema, shapeOf } from './shape.ts';

/** What happens to a map or list that is empty once its members are removed. */
export type Emptied = 'absent' | 'null';

/** A copy of `value` without the members of `set`. */
export const remove = (schema: PartSchema, value: unknown, set: FieldSet, emptied: Emptied = 'absent'): unknown => {
  const shape = shapeOf(schema, value);
  // Nothing inside a leaf can be removed on its own.
  if (shape === 'leaf' || set.children.size === 0) return value;
  return shape === 'map' ? fromMap(schema, value, set, emptied) : fromList(schema, value, set, emptied);
};

const fromMap = (schema: PartSchema, value: unknown, set: FieldSet, emptied: Emptied): unknown =>
  Object.fromEntries(
    Object.entries(membersOf(value)).flatMap(([name, member]) => {
      const part = set.children.get(fieldElement(name));
      if (part?.owned) return [];
      const rest = part ? remove(fieldSchema(schema, name), member, part, emptied) : member;
      if (!isEmptyContainer(rest) || isEmptyContainer(member)) return [[name, rest]];
      return emptied === 'null' ? [[name, null]] : [];
    }),
  );

const fromList = (schema: PartSchema, value: unknown, set: FieldSet, emptied: Emptied): unknown =>
  identified(schema, value).flatMap(({ element, value: item }) => {
    const part = set.children.get(element);
    if (part?.owned) return [];
    return [part ? remove(schema?.items, item, part, emptied) : item];
  });

/**
 * The set with the declared fields on the path to its members as members themselves: a manager that owns
 * `spec.rollout.after` and gives it up also gives up `spec.rollout`, unless another owns a part of it.
 */
export const withNamedFields = (schema: PartSchema, set: FieldSet): FieldSet => {
  const result = createSet(set.owned);
  for (const [element, child] of set.children) {
    const name = fieldOf(element);
    const part = withNamedFields(name === undefined ? schema?.items : fieldSchema(schema, name), child);
    const isNamed = name !== undefined && isDeclared(schema, name);
    result.children.set(element, isNamed && !part.owned ? { ...part, owned: true } : part);
  }
  return result;
};
