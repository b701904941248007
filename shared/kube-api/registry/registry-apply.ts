import { acceptConfig } from '../apply/accept-config.ts';
import { type Applied, type Applier, applyConfig } from '../apply/apply-config.ts';
import { NO_VERSION } from '../decode.ts';
import { invalidValue } from '../field-error.ts';
import { nameless, namespaceOf, nothingOfUid } from '../identity.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { conflict, invalid, StatusError } from '../status-error.ts';
import { PERSISTENT_ATTEMPTS } from '../storage/retry.ts';
import type { Scope, Track } from './admission.ts';
import type { ApplyOptions, Registry, RegistryOptions, WriteOptions } from './registry.ts';

const hasReason = (error: unknown, reason: string): boolean => error instanceof StatusError && error.reason === reason;

/** The config may contain the uid, if it is the object's. */
const checkUid = (resource: ResourceDefinition, live: KubeObject | undefined, config: JsonObject): void => {
  const given = isObject(config.metadata) ? config.metadata.uid : undefined;
  if (!live || !given || given === live.metadata.uid) return;
  const error = invalidValue('metadata.uid', given, 'field is immutable');
  throw invalid(resource, live.metadata.name, [error]);
};

/** A missing object has neither the uid nor the version that the config requires. */
const checkCreation = (resource: ResourceDefinition, { name }: ObjectKey, config: JsonObject): void => {
  const metadata = isObject(config.metadata) ? config.metadata : {};
  if (metadata.name === undefined) throw nameless(name);
  if (metadata.uid) throw nothingOfUid(resource, name, metadata.uid);
  if (metadata.resourceVersion && metadata.resourceVersion !== NO_VERSION) throw conflict(resource, name);
};

export const createApplier = (
  { clock }: RegistryOptions,
  { create, update }: Pick<Registry, 'create' | 'update'>,
): Registry['apply'] => {
  const applyTo = (resource: ResourceDefinition, config: JsonObject, options: ApplyOptions) => {
    const { manager, force = false, subresource = '', dryRun, mayRelate, guard, explain, admission } = options;
    const scope: Scope & Applier['scope'] = subresource === 'status' ? 'status' : 'main';
    const applier = { manager, force, subresource, scope };
    let applied: Applied | undefined;
    /** The object that results from applying the config to `live`; `write.track` then determines its managers. */
    const change = (live: KubeObject | undefined): unknown => {
      checkUid(resource, live, config);
      applied = applyConfig(resource, live, config, applier, clock.now());
      return applied?.object;
    };
    const track: Track = (next, live) => applied?.settle(next, live) ?? [];
    // The stored object may contain fields that a newer schema does not have; the config was checked.
    const kept = { fieldValidation: 'Ignore', keepNulls: true } as const;
    const write: WriteOptions = { ...kept, dryRun, scope, track, mayRelate, guard, explain, admission };
    return { change, write };
  };

  return async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    body: unknown,
    options: ApplyOptions,
  ) => {
    const config = acceptConfig(resource, key, body);
    const { change, write } = applyTo(resource, config, options);
    const updateIt = () => update(resource, key, change, { ...write, attempts: PERSISTENT_ATTEMPTS });
    try {
      return await updateIt();
    } catch (error) {
      if (options.subresource || !hasReason(error, 'NotFound')) throw error;
    }
    checkCreation(resource, key, config);
    await options.mayCreate?.();
    try {
      return await create(resource, inNamespace(resource, key, change(undefined)), write);
    } catch (error) {
      // Another client has created it in the meantime; a dry run detects that as well.
      if (!hasReason(error, 'AlreadyExists')) throw error;
      // Or a webhook has given it the name of another object: then there is still nothing to update.
      return updateIt().catch((again: unknown) => {
        throw hasReason(again, 'NotFound') ? error : again;
      });
    }
  };
};

const inNamespace = (resource: ResourceDefinition, key: ObjectKey, object: unknown): unknown => {
  if (!resource.namespaced || !isObject(object) || !isObject(object.metadata)) return object;
  return { ...object, metadata: { ...object.metadata, namespace: namespaceOf(resource, key) } };
};
