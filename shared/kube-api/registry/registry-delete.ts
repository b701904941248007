import { SealError } from '../../errors.ts';
import type { Ownership } from '../garbage/contract.ts';
import { POLICY_FINALIZERS, waitsForGarbage } from '../garbage/finalizers.ts';
import { namespaceOf } from '../identity.ts';
import { formatTime, type KubeObject, keyOf, type ObjectKey, type ObjectMeta } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { formerOf } from '../selectors/selected-parts.ts';
import { conflict, invalid, notFound, warning } from '../status-error.ts';
import { followedWrite } from '../storage/followed-write.ts';
import { PERSISTENT_ATTEMPTS, retryOnConflict } from '../storage/retry.ts';
import { attemptOf } from './admit-mutations.ts';
import { emptyNamespace, withContent } from './namespace-content.ts';
import { isKept, isNamespaces, refuseNamespaceInUse, terminating } from './namespaces.ts';
import type { DeleteOptions, Registry, RegistryOptions, Written } from './registry.ts';
import { removeStored } from './remove-stored.ts';

export const createDeleter = (
  options: RegistryOptions,
  get: Registry['get'],
  ownership: Ownership,
): Registry['delete'] => {
  const { storage, clock } = options;

  const remove = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    { dryRun, explain }: DeleteOptions,
  ): Promise<Written<T>> => {
    const shown = (last: T): T =>
      isNamespaces(resource) ? markedObject(resource, last, { finalizers: [], grace: 0 }, clock.now()) : last;
    if (dryRun) {
      const warnings = [...((await explain?.({ type: 'deleted', resource, object })) ?? [])];
      return { object: shown(object), outcome: 'removed', warnings };
    }
    const removed = await removeStored(options, ownership, resource, object);
    return { object: shown(removed), outcome: 'removed', warnings: [] };
  };

  const mark = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    current: T,
    finalizers: string[],
    { dryRun, explain, grace }: DeleteOptions & { grace: number },
  ): Promise<Written<T>> => {
    const next = markedObject(resource, current, { finalizers, grace }, clock.now());
    if (next === current) return { object: current, outcome: 'unchanged', warnings: [] };
    if (dryRun) {
      const warnings = [...((await explain?.({ type: 'updated', resource, object: next, old: current })) ?? [])];
      return { object: next, outcome: 'updated', warnings };
    }
    const waits = waitsForGarbage(next);
    if (waits) await ownership.leaving(resource, next);
    const stored = await followedWrite(
      options,
      { type: 'updated', resource, object: next, old: current },
      () =>
        storage.update(resource, next, resource.clusterNameOf?.(next), formerOf(resource, current, next)) as Promise<T>,
    );
    if (waits) await ownership.left(resource, stored);
    return { object: stored, outcome: 'updated', warnings: [] };
  };

  const attempt = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    stored: T,
    deleteOptions: DeleteOptions,
  ): Promise<Written<T>> => {
    const current = atDeletion(resource, stored, clock.now());
    const { preconditions = {} } = deleteOptions;
    checkPreconditions(resource, current.metadata, preconditions);
    await deleteOptions.guard?.(current);
    const errors = resource.validateDelete?.(current) ?? [];
    if (errors.length > 0) throw invalid(resource, current.metadata.name, errors);
    if (!current.metadata.deletionTimestamp) await options.checkDelete?.(resource, current);
    if (isNamespaces(resource)) await refuseNamespaceInUse(options, resource, current);
    const warnings = await admitDeletion(resource, stored, deleteOptions);
    const written = await warning(warnings, () => removeAdmitted(resource, current, deleteOptions));
    return { ...written, warnings: [...warnings, ...written.warnings] };
  };

  const removeAdmitted = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    current: T,
    deleteOptions: DeleteOptions,
  ): Promise<Written<T>> => {
    const { propagationPolicy, graceSeconds } = deleteOptions;
    const finalizers = policyFinalizers(current.metadata.finalizers ?? [], propagationPolicy);
    const grace = graceOf(resource, current, graceSeconds);
    const stays = finalizers.length > 0 || grace > 0;
    if (isNamespaces(resource) && !deleteOptions.dryRun) {
      const { object } = await mark(resource, current, finalizers, { ...deleteOptions, grace });
      // The garbage collector has removed the finalizer of the policy meanwhile.
      const going = waitsForGarbage(object) ? await get(resource, keyOf(object)) : object;
      return empty(resource, going, deleteOptions);
    }
    return stays
      ? mark(resource, current, finalizers, { ...deleteOptions, grace })
      : remove(resource, current, deleteOptions);
  };

  /**
   * Deletes the contents of a namespace that accepts no new objects; the namespace is removed when nothing is left in
   * it.
   */
  const empty = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    going: T,
    deleteOptions: DeleteOptions,
  ): Promise<Written<T>> => {
    const { budget = options.ownership?.atOnce ?? AT_ONCE, ...told } = deleteOptions.emptying ?? {};
    const content = await emptyNamespace({ options, remove: removeObject, budget, ...told }, going.metadata.name);
    const isEmpty = content.resources.size === 0;
    if (isEmpty && !isKept(going)) return remove(resource, going, deleteOptions);
    // A namespace that only its own finalizers hold has no condition about its contents.
    const next = isEmpty ? going : withContent(going, content, clock.now());
    if (next === going) return { object: going, outcome: 'unchanged', warnings: [] };
    await followedWrite(
      options,
      { type: 'updated', resource, object: next, old: going },
      () => storage.update(resource, next, undefined) as Promise<T>,
    );
    return { object: going, outcome: 'updated', warnings: [] };
  };

  /** A Secret that cannot be opened can be deleted, because it is read without its data. */
  const read = async <T extends KubeObject>(resource: ResourceDefinition<T>, key: ObjectKey): Promise<T> => {
    try {
      return await get(resource, key);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      const found = await storage.get(resource, namespaceOf(resource, key), key.name, { unopened: true });
      if (!found) throw notFound(resource, key.name);
      return found as T;
    }
  };

  const removeObject: Registry['delete'] = (resource, key, deleteOptions = {}) =>
    retryOnConflict(options, { resource, name: key.name, attempts: PERSISTENT_ATTEMPTS }, async () =>
      attempt(resource, await read(resource, key), deleteOptions),
    );
  return removeObject;
};

/** Calls everyone who admits deletions, and returns their warnings. */
const admitDeletion = async (
  resource: ResourceDefinition,
  old: KubeObject,
  { admission, dryRun }: DeleteOptions,
): Promise<string[]> => {
  if (!admission) return [];
  const attempt = attemptOf('DELETE', resource, { old, dryRun }, old.metadata);
  const { warnings } = await admission.mutate(attempt);
  return warning(warnings, async () => [...warnings, ...(await admission.validate(attempt))]);
};

/** The object after its first deletion, for kinds that change then. */
const atDeletion = <T extends KubeObject>(resource: ResourceDefinition<T>, stored: T, now: Date): T =>
  stored.metadata.deletionTimestamp === undefined ? (resource.whenDeleted?.(stored, now) ?? stored) : stored;

/** How much of a namespace is deleted before the response, unless the registry says otherwise. */
const AT_ONCE = { objects: 100, milliseconds: 5_000 };

const checkPreconditions = (
  resource: ResourceDefinition,
  { name, uid, resourceVersion }: ObjectMeta,
  wanted: { uid?: string; resourceVersion?: string },
): void => {
  // Here upstream names the kind instead of the resource.
  const { group, kind: plural } = resource;
  const failed = (what: string, given: string, actual: string | undefined, hint: string): Error => {
    const why = `the ${what} in the precondition (${given}) does not match the ${what} in record (${actual}). ${hint}`;
    return conflict({ group, plural }, name, why);
  };
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    throw failed('UID', wanted.uid, uid, 'The object might have been deleted and then recreated');
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    throw failed('ResourceVersion', wanted.resourceVersion, resourceVersion, 'The object might have been modified');
  }
};

/** A later policy replaces an earlier one. Without a policy, the finalizers are left unchanged. */
const policyFinalizers = (finalizers: string[], policy: DeleteOptions['propagationPolicy']): string[] => {
  if (!policy) return finalizers;
  const others = finalizers.filter(
    (name) => name !== POLICY_FINALIZERS.Orphan && name !== POLICY_FINALIZERS.Foreground,
  );
  return policy === 'Background' ? others : [...others, POLICY_FINALIZERS[policy]];
};

/** The grace period after a deletion: a period that is already running can only be shortened. */
const graceOf = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  current: T,
  asked: number | undefined,
): number => {
  const wanted = resource.graceSeconds?.(current, asked) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds: running = 0 } = current.metadata;
  if (deletionTimestamp === undefined) return wanted;
  return asked === undefined ? running : Math.min(running, wanted);
};

interface Marks {
  finalizers: string[];
  grace: number;
}

/** The object in its state of being deleted; the same value if nothing changes. */
const markedObject = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  current: T,
  marks: Marks,
  now: Date,
): T => {
  const metadata = markedMetadata(current.metadata, marks, now);
  if (metadata === current.metadata) return current;
  return isNamespaces(resource) ? terminating(current, metadata) : { ...current, metadata };
};

/**
 * The metadata of an object that is being deleted; the same value if nothing changes. A deletion increments the
 * generation.
 */
const markedMetadata = (metadata: ObjectMeta, { finalizers, grace }: Marks, now: Date): ObjectMeta => {
  const sameFinalizers = finalizers.join() === (metadata.finalizers ?? []).join();
  const { deletionTimestamp, deletionGracePeriodSeconds: running = 0 } = metadata;
  if (deletionTimestamp !== undefined) {
    const held = sameFinalizers ? metadata : { ...metadata, finalizers };
    if (grace === running) return held;
    const end = new Date(Date.parse(deletionTimestamp) - (running - grace) * 1000);
    return { ...held, deletionTimestamp: formatTime(end), deletionGracePeriodSeconds: grace };
  }
  return {
    ...metadata,
    ...(finalizers.length > 0 ? { finalizers } : {}),
    deletionTimestamp: formatTime(new Date(now.getTime() + grace * 1000)),
    deletionGracePeriodSeconds: grace,
    ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
  };
};
