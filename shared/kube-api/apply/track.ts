import { apiVersionOf } from '../decode.ts';
import { formatTime, type KubeObject, type ManagedFieldsEntry } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { capUpdaters } from './cap.ts';
import { isSame } from './compare.ts';
import { createSet, type FieldSet, isEmpty, union } from './field-set.ts';
import { identityOf, type Manager, type Managers, readManagers, writeManagers } from './managers.ts';
import { fieldOf } from './path-element.ts';
import { type Changes, changesBetween, definitionIn, isServed } from './perspective.ts';
import { changesWithin, type FieldScope, withoutServerFields } from './scopes.ts';
import { owning, yieldFields } from './settle.ts';
import { fieldSchema, type PartSchema } from './shape.ts';

/**
 * A stored set under a schema that has changed since: an owner of parts of a list or map that is atomic now owns all of
 * it. The same set if nothing in it has become atomic. A field that has become granular is left as it is
 * (structured-merge-diff, ReconcileFieldSetWithSchema).
 */
const reconciled = (schema: PartSchema, set: FieldSet): FieldSet => {
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

/** The writer, as managedFields name it, and the part of the object that the write can change. */
export interface Updater {
  manager: string;
  /** `status`, `scale`, or empty. */
  subresource: string;
  scope: FieldScope;
  /** The version of the request, if it is not the stored one. */
  apiVersion?: string;
}

export const NO_MANAGERS: Managers = new Map();

/** The managers of an object by today's schemas; those of a version that is no longer served are dropped. */
export const storedManagers = (resource: ResourceDefinition, object: KubeObject | undefined): Managers => {
  const managers = readManagers(object?.metadata.managedFields ?? []) ?? NO_MANAGERS;
  const byToday = (manager: Manager): Manager => {
    const { schema } = definitionIn(resource, manager.apiVersion);
    return owning(manager, reconciled(withMetadata(schema), manager.set));
  };
  return new Map(
    [...managers]
      .filter(([, manager]) => isServed(resource, manager.apiVersion))
      .map(([identity, manager]) => [identity, byToday(manager)]),
  );
};

/**
 * Clients reset the managers with one empty entry, or with an empty list. For kinds that are not built in, upstream
 * cannot distinguish an empty list from an absent one, and keeps the managers.
 */
const isReset = ({ builtIn }: ResourceDefinition, entries: readonly ManagedFieldsEntry[]): boolean =>
  (builtIn && entries.length === 0) || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0);

/** The managers that the client has written, if they are valid and not empty; otherwise the stored ones. */
const managersOf = (resource: ResourceDefinition, next: KubeObject, live: KubeObject | undefined): Managers => {
  const given = next.metadata.managedFields;
  if (given && isReset(resource, given)) return NO_MANAGERS;
  const managers = given && readManagers(given);
  return managers && managers.size > 0 ? storedManagers(resource, next) : storedManagers(resource, live);
};

/** The managers after `updater` made the changes in its scope. */
export const recordUpdate = (
  resource: ResourceDefinition,
  managers: Managers,
  all: Changes,
  { manager: name, subresource, scope, apiVersion = apiVersionOf(resource) }: Updater,
  now: Date,
): Managers => {
  const changes = changesWithin(resource, scope, all);
  const own = changes(apiVersion);
  if (isSame(own)) return managers;
  const result = yieldFields(managers, changes);
  const mine = withoutServerFields(union(own.modified, own.added));
  if (isEmpty(mine)) return result;
  const self = { name, operation: 'Update' as const, apiVersion, subresource };
  const identity = identityOf(self);
  const before = result.get(identity);
  const set = before ? union(before.set, mine) : mine;
  result.set(identity, { ...self, time: formatTime(now), set });
  return capUpdaters(result);
};

/**
 * The managedFields of `next`, the result of an update of `live` (undefined for a creation). One updater for each part
 * that it could change. An object that was never tracked, or was reset, stays untracked until the next apply.
 */
export const trackUpdate = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  next: KubeObject,
  updaters: readonly Updater[],
  now: Date,
): ManagedFieldsEntry[] => {
  const managers = managersOf(resource, next, live);
  if (live && managers.size === 0) return [];
  const changes = changesBetween(resource, live, next);
  return writeManagers(
    updaters.reduce((known, updater) => recordUpdate(resource, known, changes, updater, now), managers),
  );
};
