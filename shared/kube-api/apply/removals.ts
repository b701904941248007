import { apiVersionOf } from '../decode.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { Conversions, ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { fromStorage, toStorage } from '../versions/convert.ts';
import { compare } from './compare.ts';
import { createSet, difference, type FieldSet, intersection, isEmpty, union, unionOf } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import type { Manager } from './managers.ts';
import { definitionIn } from './perspective.ts';
import { remove, withNamedFields } from './remove.ts';
import type { PartSchema } from './shape.ts';

/** The fields that a manager owns, with the names of the version in which it wrote them. */
export type Owned = Pick<Manager, 'apiVersion' | 'set'>;

/** An object as a version shows it. */
interface Seen {
  resource: ResourceDefinition;
  object: JsonObject;
}

/** An object always has metadata, even if a manager gives up all labels. */
const METADATA = 'f:metadata';

const named = (schema: PartSchema, set: FieldSet): FieldSet => {
  const result = withNamedFields(schema, set);
  const metadata = result.children.get(METADATA);
  if (metadata?.owned) result.children.set(METADATA, { ...metadata, owned: false });
  return result;
};

const storedOf = ({ view, ...resource }: ResourceDefinition): ResourceDefinition => view?.storage ?? resource;

/** Without members that are null: another version does not contain a map or list that a removal has emptied. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
};

/** For a kind that a webhook converts: the other definition continues with the conversions of the request. */
const convertedTo = (conversions: Conversions, { resource, object }: Seen, apiVersion: string): Seen => {
  const there = definitionIn(resource, apiVersion);
  const shown = conversions.see(withoutNulls(object) as KubeObject, apiVersion);
  return {
    resource: there.custom ? { ...there, custom: { ...there.custom, conversions } } : there,
    object: shown as unknown as JsonObject,
  };
};

const seenIn = (seen: Seen, apiVersion: string): Seen => {
  if (apiVersionOf(seen.resource) === apiVersion) return seen;
  const { resource, object } = seen;
  const conversions = resource.custom?.conversions;
  if (conversions) return convertedTo(conversions, seen, apiVersion);
  const whole = withoutNulls(object) as unknown as KubeObject;
  const stored = resource.view ? toStorage(resource.view, whole) : whole;
  const there = definitionIn(storedOf(resource), apiVersion);
  const shown = there.view ? fromStorage(there.view, stored) : stored;
  return { resource: there, object: shown as unknown as JsonObject };
};

const setsByVersion = (owned: readonly Owned[], first: string): Map<string, FieldSet> => {
  // That version comes first, so that required fields are restored before anything is converted.
  const sets = Map.groupBy([{ apiVersion: first, set: createSet() }, ...owned], ({ apiVersion }) => apiVersion);
  return new Map([...sets].map(([apiVersion, same]) => [apiVersion, unionOf(same.map(({ set }) => set))]));
};

/**
 * Values that remain in another version only because the conversion fills them in if they are absent. Upstream keeps
 * the old value there, without an owner; here it is removed.
 */
const filledIn = (schema: PartSchema, whole: Seen, bare: Seen, pruned: Seen): FieldSet =>
  bare === pruned ? createSet() : compare(schema, whole.object, bare.object).modified;

/** `pruned` with what of `merged` is owned in one version. */
const withOwned = (merged: Seen, pruned: Seen, [apiVersion, owned]: readonly [string, FieldSet]): Seen => {
  const [whole, bare] = [seenIn(merged, apiVersion), seenIn(pruned, apiVersion)];
  const schema = withMetadata(whole.resource.schema);
  const [all, left] = [named(schema, fieldSetOf(schema, whole.object)), named(schema, fieldSetOf(schema, bare.object))];
  const lost = union(difference(all, left), filledIn(schema, whole, bare, pruned));
  const gone = difference(lost, named(schema, owned));
  return { ...whole, object: remove(schema, whole.object, gone, 'null') as JsonObject };
};

/**
 * `merged` (of the version of `resource`) without what the applier had in its last config and omits now (`last`).
 * Fields that any manager still owns (`owned`, including the new config) stay, and so do items that the applier never
 * owned. Each set is evaluated in the version that it was written in: a shared item keeps only its owned parts. The
 * rules are those of structured-merge-diff's Updater.prune.
 */
export const removeAbandoned = (
  resource: ResourceDefinition,
  merged: JsonObject,
  { last, owned }: { last: Owned; owned: readonly Owned[] },
): JsonObject => {
  if (isEmpty(last.set)) return merged;
  const whole = seenIn({ resource, object: merged }, last.apiVersion);
  const schema = withMetadata(whole.resource.schema);
  const lastNamed = named(schema, last.set);
  const bare: Seen = { ...whole, object: remove(schema, whole.object, lastNamed, 'null') as JsonObject };
  const sets = setsByVersion(owned, last.apiVersion);
  const restored = [...sets].reduce((pruned, set) => withOwned(whole, pruned, set), bare);
  const shown = named(schema, fieldSetOf(schema, seenIn(restored, last.apiVersion).object));
  const left = union(shown, named(schema, sets.get(last.apiVersion) ?? createSet()));
  const gone = intersection(difference(named(schema, fieldSetOf(schema, whole.object)), left), lastNamed);
  if (isEmpty(gone)) return merged;
  const object = remove(schema, whole.object, gone) as JsonObject;
  return seenIn({ ...whole, object }, apiVersionOf(resource)).object;
};
