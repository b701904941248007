import { converting } from '../custom/conversion/conversions.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { validateSchema } from '../schema/validate.ts';
import type { Track } from './admission.ts';
import type { AdmissionAttempt, Operation } from './admission-control.ts';
import { isNamespaces } from './namespaces.ts';
import type { WriteOptions } from './registry.ts';

/**
 * The attempt that a write passes to admission. As in upstream's requests, the namespace of a Namespace is the
 * Namespace itself.
 */
export const attemptOf = (
  operation: Operation,
  resource: ResourceDefinition,
  {
    object,
    old,
    dryRun = false,
  }: { object?: AdmissionAttempt['object']; old?: KubeObject | undefined; dryRun?: boolean | undefined },
  { name = '', namespace = '' }: Partial<KubeObject['metadata']>,
): AdmissionAttempt => ({
  ...{ operation, resource, name, old, dryRun },
  namespace: isNamespaces(resource) ? name : namespace,
  ...(object ? { object } : {}),
});

/** Whether all parts have the types of the schema, on which the ownership of fields relies. */
const isTyped = (resource: ResourceDefinition, object: KubeObject): boolean =>
  validateSchema(resource.schema, object).every(
    ({ type }) => type !== 'FieldValueTypeInvalid' && type !== 'FieldValueDuplicate',
  );

interface Mutable<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  object: T;
  old: T | undefined;
  /** The object as validation gets it, changed only within the write's scope. */
  scoped(object: T): T;
  track: Track | undefined;
}

export interface Mutated<T extends KubeObject> {
  object: T;
  track: Track | undefined;
  warnings: readonly string[];
}

/**
 * The object after mutating admission. Its changes have no owner: managedFields describe what the client wrote. An
 * object that has parts with wrong types has no owners until admission has changed it.
 */
export const mutatedBy = async <T extends KubeObject>(
  { resource, object, old, scoped, track }: Mutable<T>,
  { admission, dryRun }: WriteOptions,
): Promise<Mutated<T>> => {
  if (!admission) return { object, track, warnings: [] };
  let managers: ReturnType<Track> | undefined;
  const show = (): KubeObject => {
    const defaulted = applyDefaults(withMetadata(resource.schema), object) as T;
    if (track && isTyped(resource, defaulted)) managers = track(scoped(defaulted), old);
    if (!managers || managers.length === 0) return defaulted;
    return { ...defaulted, metadata: { ...defaulted.metadata, managedFields: managers } };
  };
  let seen: KubeObject | undefined;
  const keep = (shown: KubeObject): KubeObject => {
    seen = shown;
    return shown;
  };
  const once = (): KubeObject | Promise<KubeObject> => {
    const shown = seen ?? converting(resource, show);
    return shown instanceof Promise ? shown.then(keep) : keep(shown);
  };
  const attempt = attemptOf(old ? 'UPDATE' : 'CREATE', resource, { object: once, old, dryRun }, object.metadata);
  const { object: next, warnings } = await admission.mutate(attempt);
  if (next === undefined || next === seen) return { object, track, warnings };
  const { managedFields: _, ...metadata } = next.metadata;
  const own = object.metadata.managedFields;
  const mutated = { ...next, metadata: own ? { ...metadata, managedFields: own } : metadata } as unknown as T;
  const kept = managers;
  return { object: mutated, track: kept ? () => kept : track, warnings };
};
