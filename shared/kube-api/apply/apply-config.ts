import { isDeepStrictEqual } from 'node:util';
import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import { formatTime, type KubeObject, type ManagedFieldsEntry } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { StatusError } from '../status-error.ts';
import { compare, isSame } from './compare.ts';
import { countOf, equals, type FieldSet, firstPathsOf } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { KUBECTL, notLastApplied, withLastApplied, withLastAppliedOf } from './last-applied.ts';
import { identityOf, type Manager, type Managers, writeManagers } from './managers.ts';
import { merge } from './merge.ts';
import { describePath } from './path-element.ts';
import { changesBetween, withoutManagedFields } from './perspective.ts';
import { removeAbandoned } from './removals.ts';
import { changesWithin, type FieldScope, withinScope, withoutServerFields } from './scopes.ts';
import { type Conflict, findConflicts, yieldFields } from './settle.ts';
import { NO_MANAGERS, recordUpdate, storedManagers } from './track.ts';

/** `"kubectl-client-side-apply" using cluster.x-k8s.io/v1beta2`: kubectl prints it in a separate table. */
const describeManager = ({ name, operation, apiVersion, subresource }: Manager): string =>
  [
    JSON.stringify(name),
    ...(subresource === '' ? [] : [`with subresource ${JSON.stringify(subresource)}`]),
    ...(operation === 'Update' ? [`using ${apiVersion}`] : []),
  ].join(' ');

/** How many fields a refusal names: an object may have tens of thousands, each with a long path. */
const MAX_NAMED_FIELDS = 500;

interface NamedFields {
  who: string;
  fields: string[];
}

const summarize = (found: readonly NamedFields[], count: number): string => {
  if (count === 1) return `1 conflict: conflict with ${found[0]?.who}: ${found[0]?.fields[0]}`;
  const lines = found.flatMap(({ who, fields }) => [`conflicts with ${who}:`, ...fields.map((field) => `- ${field}`)]);
  const others = count > MAX_NAMED_FIELDS ? [`and ${count - MAX_NAMED_FIELDS} more`] : [];
  return `${count} conflicts: ${[...lines, ...others].join('\n')}`;
};

const namedFields = (conflicts: readonly Conflict[]): NamedFields[] => {
  let left = MAX_NAMED_FIELDS;
  return conflicts
    .map(({ manager, fields }) => ({ who: describeManager(manager), fields }))
    .sort((a, b) => (a.who < b.who ? -1 : 1))
    .flatMap(({ who, fields }) => {
      const named = firstPathsOf(fields, left).map(describePath);
      left -= named.length;
      return named.length > 0 ? [{ who, fields: named }] : [];
    });
};

/** 409 with a cause for each field of each manager that an apply without `force` would have taken over. */
const conflictError = (conflicts: readonly Conflict[]): StatusError => {
  const count = conflicts.reduce((sum, { fields }) => sum + countOf(fields), 0);
  const found = namedFields(conflicts);
  const causes = found.flatMap(({ who, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
  );
  return new StatusError(409, 'Conflict', `Apply failed with ${summarize(found, count)}`, { causes });
};

export interface Applier {
  manager: string;
  /** Takes fields over from other managers instead of causing a conflict. */
  force: boolean;
  subresource: string;
  scope: FieldScope;
}

export interface Applied {
  /** In the version of the config. */
  object: JsonObject;
  /**
   * The managedFields for the stored object. Managers that write in other versions are only considered here, because
   * here the object is known in their versions. Throws a StatusError 409 for conflicts with them.
   */
  settle(next: KubeObject, live: KubeObject | undefined): ManagedFieldsEntry[];
}

/** The owner of the fields of an object that was never applied or tracked. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

const stored = (resource: ResourceDefinition): ResourceDefinition => resource.view?.storage ?? resource;

const managersBefore = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  { subresource, scope }: Applier,
  now: Date,
): Managers => {
  const managers = storedManagers(stored(resource), live);
  if (!live || managers.size > 0) return managers;
  const everything = compare(withMetadata(resource.schema), {}, withoutManagedFields(live));
  const updater = { manager: BEFORE_FIRST_APPLY, subresource, scope, apiVersion: apiVersionOf(resource) };
  return recordUpdate(stored(resource), NO_MANAGERS, () => everything, updater, now);
};

/** The object with the config in it, and without the fields that the applier gives up. */
const nextObject = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  config: JsonObject,
  { known, last, set }: { known: Managers; last: Manager | undefined; set: FieldSet },
): JsonObject => {
  const schema = withMetadata(resource.schema);
  const before = live ? withoutManagedFields(live) : {};
  const mergedInto = (object: JsonObject) => merge(schema, object, config) as JsonObject;
  if (!last || !live) return mergedInto(before);
  const apiVersion = apiVersionOf(resource);
  const others = [...known.values()].filter((manager) => manager !== last);
  const kept = (object: JsonObject) =>
    removeAbandoned(resource, object, { last, owned: [...others, { apiVersion, set }] });
  // An item may have another key in the other version: its former value would stay beside the one in the config.
  if (last.apiVersion !== apiVersion) return mergedInto(kept(before));
  // Again: a map that is empty in the config stays when its former members are removed.
  return mergedInto(kept(mergedInto(before)));
};

/**
 * The result of applying `config` by one manager to the live object (undefined for a creation), and the new owners.
 * Undefined if nothing changes at all. Config and object are in the version of `resource`, and the config has been
 * checked. Pure; throws a StatusError 409 for conflicts.
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
  const known = managersBefore(resource, live, applier, now);
  const { manager: name, subresource, scope } = applier;
  const apiVersion = apiVersionOf(resource);
  const self: Omit<Manager, 'set'> = { name, operation: 'Apply', apiVersion, subresource };
  const identity = identityOf(self);
  const last = known.get(identity);
  const set = withinScope(resource, scope, fieldSetOf(schema, config));
  const next = nextObject(resource, live, config, { known, last, set });

  const comparison = compare(schema, before, next);
  const changes = changesWithin(resource, scope, () => comparison);
  const here = new Map([...known].filter(([, manager]) => manager.apiVersion === apiVersion));
  const elsewhere = new Map([...known].filter(([key]) => !here.has(key) && key !== identity));
  refuseConflicts(resource, before, findConflicts(here, changes, identity), applier);

  const managers = yieldFields(here, changes, identity);
  const owned = withoutServerFields(set);
  const isSettled = isSame(changes(apiVersion)) && last?.apiVersion === apiVersion && equals(last.set, owned);
  // Upstream compares complete objects here: a config with a status, which is ignored, counts as a change.
  const time = timeOf(isSame(comparison), last, now);
  managers.set(identity, isSettled && last ? last : { ...self, ...time, set: owned });
  const object = name === KUBECTL ? withLastApplied(next, config) : next;
  if (isSettled && isDeepStrictEqual(object, before)) return undefined;
  return {
    object,
    settle: (nextStored, liveStored) => {
      const changed = withLastAppliedOf(nextStored, next);
      const all = changesWithin(resource, scope, changesBetween(stored(resource), liveStored, changed));
      refuseConflicts(resource, before, findConflicts(elsewhere, all, identity), applier);
      return writeManagers(new Map([...yieldFields(elsewhere, all), ...managers]));
    },
  };
};

/** When the manager last changed the object. A manager that never has, and only shares existing values, has no time. */
const timeOf = (isUnchanged: boolean, last: Manager | undefined, now: Date): { time?: string } => {
  const time = isUnchanged ? last?.time : formatTime(now);
  return time ? { time } : {};
};

const refuseConflicts = (
  resource: ResourceDefinition,
  live: JsonObject,
  conflicts: readonly Conflict[],
  { manager, force }: Applier,
): void => {
  if (force || conflicts.length === 0) return;
  const left = manager === KUBECTL ? notLastApplied(resource, live, conflicts) : conflicts;
  if (left.length > 0) throw conflictError(left);
};
