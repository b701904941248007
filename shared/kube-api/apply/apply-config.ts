import { isDeepStrictEqual } from 'node:util';
import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import { formatTime, type KubeObject, type ManagedFieldsEntry } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { compare, isSame } from './compare.ts';
import { conflictError } from './conflict-error.ts';
import { equals } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { KUBECTL, notLastApplied, withLastApplied } from './last-applied.ts';
import { identityOf, type Manager, type Managers, writeManagers } from './managers.ts';
import { merge } from './merge.ts';
import { removeAbandoned } from './removals.ts';
import { comparisonWithin, type FieldScope, withinScope, withoutServerFields } from './scopes.ts';
import { findConflicts, yieldFields } from './settle.ts';
import { NO_MANAGERS, recordUpdate, storedManagers, withoutManagedFields } from './track.ts';

export interface Applier {
  manager: string;
  /** Takes fields over from other managers instead of a conflict. */
  force: boolean;
  subresource: string;
  scope: FieldScope;
}

export interface Applied {
  object: JsonObject;
  managedFields: ManagedFieldsEntry[];
}

/** Who owned the fields of an object that nobody had applied or tracked before. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

const managersBefore = (resource: ResourceDefinition, live: KubeObject | undefined, applier: Applier): Managers => {
  const managers = storedManagers(resource, live);
  if (!live || managers.size > 0) return managers;
  const everything = compare(withMetadata(resource.schema), {}, withoutManagedFields(live));
  const { subresource, scope } = applier;
  return recordUpdate(
    resource,
    NO_MANAGERS,
    everything,
    { manager: BEFORE_FIRST_APPLY, subresource, scope },
    undefined,
  );
};

/**
 * What `config`, applied by one manager, makes of the live object (undefined for a creation), and who owns what then.
 * Undefined where nothing changes at all. The config has been checked. Pure; throws a StatusError 409 for conflicts.
 */
export const applyConfig = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  config: JsonObject,
  applier: Applier,
  now: Date,
): Applied | undefined => {
  const schema = withMetadata(resource.schema);
  const before = live ? withoutManagedFields(live) : {};
  const known = managersBefore(resource, live, applier);
  const { manager: name, subresource, scope } = applier;
  const self: Omit<Manager, 'set'> = { name, operation: 'Apply', apiVersion: apiVersionOf(resource), subresource };
  const identity = identityOf(self);
  const last = known.get(identity);
  const set = withinScope(resource, scope, fieldSetOf(schema, config));

  const merged = merge(schema, before, config);
  const others = [...known.values()].filter((manager) => manager !== last).map((manager) => manager.set);
  const left = last ? removeAbandoned(schema, merged, { last: last.set, owned: [...others, set] }) : merged;
  // Once more: a map that the config has empty is not gone because what was in it is.
  const next = (left === merged ? merged : merge(schema, left, config)) as JsonObject;
  const changes = comparisonWithin(resource, scope, compare(schema, before, next));
  refuseConflicts(resource, before, findConflicts(known, changes, identity), applier);

  const managers = yieldFields(known, changes, identity);
  const owned = withoutServerFields(set);
  const isSettled = isSame(changes) && last !== undefined && equals(last.set, owned);
  managers.set(identity, isSettled ? last : { ...self, time: formatTime(now), set: owned });
  const object = name === KUBECTL ? withLastApplied(next, config) : next;
  const managedFields = writeManagers(managers);
  if (isSettled && live && isDeepStrictEqual(object, before)) return undefined;
  return { object, managedFields };
};

const refuseConflicts = (
  resource: ResourceDefinition,
  live: JsonObject,
  conflicts: readonly ReturnType<typeof findConflicts>[number][],
  { manager, force }: Applier,
): void => {
  if (force || conflicts.length === 0) return;
  const left = manager === KUBECTL ? notLastApplied(resource, live, conflicts) : conflicts;
  if (left.length > 0) throw conflictError(left);
};
