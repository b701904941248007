import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, withoutUndefined } from '../json.ts';
import { validateMetadata, validateMetadataChange } from '../metadata.ts';
import { formatTime, type KubeObject, type ManagedFieldsEntry, type ObjectMeta } from '../object.ts';
import { validateOwnerLimits } from '../owner-limits.ts';
import type { FieldError, OpenApiSchema, ResourceDefinition } from '../resource.ts';
import { identityText } from '../schema/correlate.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { validateSchema } from '../schema/validate.ts';
import { invalid } from '../status-error.ts';
import { CONVERSION_DATA, withConversionData } from '../versions/conversion-data.ts';
import type { RelatedRules } from './related-rules.ts';

/**
 * The part of an object that a write may change: `main` means everything but status, `status` means only status, `all`
 * means both (controllers, in one write).
 */
export type Scope = 'main' | 'status' | 'all';

/** Sets the managedFields of an object that will be stored and replaces `live` (undefined for a creation). */
export type Track = (next: KubeObject, live: KubeObject | undefined) => ManagedFieldsEntry[];

const parts = (object: KubeObject): JsonObject => ({ ...object });

/**
 * In upstream, the kinds of the core group (Secret, Namespace, Node…) and some others have no generation, but keep one
 * that a client has set. All reconciled kinds have one.
 */
const hasGeneration = ({ builtIn, group, withoutGeneration }: ResourceDefinition): boolean =>
  !builtIn || (group !== '' && !withoutGeneration);

/** Sets the status of a new object, after all rules have accepted it; undefined leaves its status unchanged. Pure. */
export type FirstStatus = (resource: ResourceDefinition, object: KubeObject, now: Date) => object | undefined;

type Related<T extends KubeObject> = RelatedRules<T> | undefined;

interface Creation {
  uid: string;
  now: Date;
  scope: Scope;
  track?: Track;
  firstStatus?: FirstStatus | undefined;
  related?: RelatedRules | undefined;
}

/** A decoded object in the form in which it is first stored. Pure; throws a StatusError 422 with all errors. */
export const admitCreate = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  object: T,
  { uid, now, scope, track, firstStatus, related }: Creation,
): T => {
  const { status: written, ...rest } = parts(object);
  const kept = scope === 'all' || !resource.statusSubresource ? written : undefined;
  const status = kept ?? resource.initialStatus?.(object, now);
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation: given, ...named } = object.metadata;
  const generation = hasGeneration(resource) ? 1 : given;
  const metadata: ObjectMeta = {
    ...named,
    uid,
    creationTimestamp: formatTime(now),
    ...(generation ? { generation } : {}),
  };
  const fresh = { ...rest, ...(status === undefined ? {} : { status }), metadata } as unknown as T;
  const how = { scope, track, now, related: related as Related<T> };
  const admitted = defaultAndValidate(resource, fresh, undefined, how);
  const first = kept === undefined ? firstStatus?.(resource, admitted, now) : undefined;
  return first === undefined ? admitted : { ...admitted, status: first };
};

interface Update {
  track?: Track | undefined;
  related?: RelatedRules | undefined;
  now?: Date | undefined;
}

/**
 * The object to be stored when `next` replaces `old` within `scope`. Pure; throws a StatusError 422 with all errors.
 * The result is deep-equal to `old` if nothing changes.
 */
export const admitUpdate = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  next: T,
  old: T,
  scope: Scope,
  { track, related, now }: Update = {},
): T => {
  const how = { scope, track, now, related: related as Related<T> };
  const admitted = defaultAndValidate(resource, scopedUpdate(resource, next, old, scope), old, how);
  // Each write sets the defaults of a version again that the stored one cannot express.
  const isKept = resource.custom !== undefined && scope === 'status';
  if (!hasGeneration(resource) || isKept || sameDesire(resource, admitted, old)) return admitted;
  return { ...admitted, metadata: { ...admitted.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
};

/** `old` with the changes of `next` within `scope`. Pure. */
export const scopedUpdate = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  next: T,
  old: T,
  scope: Scope,
): T => {
  const metadata =
    scope === 'status' ? statusMetadata(next.metadata, old.metadata) : carryOver(next.metadata, old.metadata);
  return { ...scopeParts(resource, next, old, scope), metadata } as unknown as T;
};

const scopeParts = (resource: ResourceDefinition, next: KubeObject, old: KubeObject, scope: Scope): JsonObject => {
  if (scope === 'status') return withStatus(parts(old), parts(next).status);
  if (scope === 'main' && resource.statusSubresource) return withStatus(parts(next), parts(old).status);
  return parts(next);
};

const withStatus = ({ status: _, ...rest }: JsonObject, status: unknown): JsonObject =>
  status === undefined ? rest : { ...rest, status };

/**
 * Through `/status`, only status may change, and what is added by the conversion of a status from another version.
 * managedFields do not change.
 */
const statusMetadata = (next: ObjectMeta, old: ObjectMeta): ObjectMeta =>
  withConversionData(old, next.annotations?.[CONVERSION_DATA]);

/** Fields that the server decides are kept; fields that a client has left out of its copy are restored. */
const carryOver = (next: ObjectMeta, old: ObjectMeta): ObjectMeta => {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation: ___, ...given } = next;
  const kept = {
    uid: given.uid ?? old.uid,
    creationTimestamp: old.creationTimestamp,
    namespace: given.namespace ?? old.namespace,
    resourceVersion: old.resourceVersion,
    generation: old.generation,
    deletionTimestamp: old.deletionTimestamp,
    deletionGracePeriodSeconds: old.deletionGracePeriodSeconds,
    managedFields: given.managedFields ?? old.managedFields,
  };
  return { ...given, ...withoutUndefined(kept) };
};

/**
 * Whether two objects have the same desired state: everything except metadata and a separate status changes the
 * generation.
 */
const sameDesire = (resource: ResourceDefinition, a: KubeObject, b: KubeObject): boolean => {
  const desire = (object: KubeObject): JsonObject => {
    const { metadata: _, status, ...rest } = parts(object);
    return resource.statusSubresource ? rest : { ...rest, status };
  };
  return isDeepStrictEqual(desire(a), desire(b));
};

/**
 * Defaults and validation in the order of the API server. The rules of a kind (`default`, `validate`) only get
 * structurally valid objects, so they can rely on types.
 */
const defaultAndValidate = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  object: T,
  old: T | undefined,
  { scope, track, related, now }: Omit<Update, 'related'> & { scope: Scope; related?: Related<T> },
): T => {
  const schema = withMetadata(resource.schema);
  const name = object.metadata.name ?? '';
  const metadata = resource.completeMetadata?.(object.metadata) ?? object.metadata;
  const defaulted = applyDefaults(schema, { ...object, metadata }) as T;
  // Checked before the others, which quote values that are too long.
  refuse(resource, name, validateOwnerLimits(defaulted.metadata, old?.metadata, scope === 'all'));
  const metadataErrors = [
    ...validateMetadata(resource, defaulted),
    ...(old ? validateMetadataChange(defaulted.metadata, old.metadata) : []),
  ];
  const validateBody = (given: T): FieldError[] =>
    resource.validateBody?.(given, old) ?? validateOwn(resource.schema, given, old);
  refuse(resource, name, [...metadataErrors, ...validateBody(defaulted)]);
  // Kinds may write `{ ...spec, field: undefined }`; stored objects only contain JSON.
  const complete = (given: T): T => {
    const own = resource.default ? withoutUndefined(resource.default(given, old)) : given;
    const completed = related?.complete?.(own, old);
    refuse(resource, name, completed?.errors ?? []);
    const whole = completed?.object ?? own;
    // As in the API server after webhooks: later writes must not refuse what defaults have stored.
    if (!sameBody(whole, given)) refuse(resource, name, validateBody(whole));
    return whole;
  };
  const tracked = (given: T): T => (track ? withManagers(given, track(given, old)) : given);
  // Upstream sets the defaults of built-in kinds while it decodes them, and those of others in webhooks, whose fields
  // have no manager.
  const admitted = resource.builtIn ? tracked(complete(defaulted)) : complete(tracked(defaulted));
  refuse(resource, name, [
    ...(resource.validate?.(admitted, old) ?? []),
    ...(related?.validate?.(admitted, old) ?? []),
  ]);
  return resource.decide?.(admitted, old, now) ?? admitted;
};

const sameBody = (a: KubeObject, b: KubeObject): boolean => {
  const body = ({ metadata: _, ...rest }: JsonObject): JsonObject => rest;
  return isDeepStrictEqual(body(parts(a)), body(parts(b)));
};

/** The rules of kinds and the ownership of fields rely on these. */
const NEVER_EXCUSED: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueTypeInvalid',
  'FieldValueRequired',
  'FieldValueDuplicate',
]);

const isExcused = ({ type, detail = '' }: FieldError): boolean =>
  !NEVER_EXCUSED.has(type) || detail.includes('must be of type date-time');

/**
 * Errors of the schema. An invalid value that an earlier version of the schema allowed is accepted if it is unchanged:
 * otherwise no write could even remove a finalizer.
 */
const validateOwn = (schema: OpenApiSchema, object: KubeObject, old: KubeObject | undefined): FieldError[] => {
  const errors = validateSchema(schema, object);
  if (errors.length === 0 || !old) return errors;
  const known = new Set(validateSchema(schema, old).filter(isExcused).map(identityText));
  return errors.filter((error) => !known.has(identityText(error)));
};

const withManagers = <T extends KubeObject>(object: T, managedFields: ManagedFieldsEntry[]): T => {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields.length > 0 ? { ...metadata, managedFields } : metadata };
};

const refuse = (resource: ResourceDefinition, name: string, errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw invalid(resource, name, errors);
};
