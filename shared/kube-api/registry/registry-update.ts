import { isDeepStrictEqual } from 'node:util';
import { sameOwnership } from '../apply/managers.ts';
import { trackerOf } from '../apply/tracker.ts';
import { converting } from '../custom/conversion/conversions.ts';
import { decodeObject } from '../decode.ts';
import { withoutDuplicateOwners } from '../duplicate-owners.ts';
import type { Ownership } from '../garbage/contract.ts';
import { waitsForGarbage } from '../garbage/finalizers.ts';
import { checkName, checkPreconditions } from '../identity.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { formerOf } from '../selectors/selected-parts.ts';
import { warning } from '../status-error.ts';
import { followedWrite } from '../storage/followed-write.ts';
import { retryOnConflict } from '../storage/retry.ts';
import { withSealedData } from '../unopened.ts';
import { admitUpdate, scopedUpdate } from './admission.ts';
import { attemptOf, type Mutated, mutatedBy } from './admit-mutations.ts';
import { isNamespaces } from './namespaces.ts';
import type { Registry, RegistryOptions, UpdateOptions, WriteEvent, Written } from './registry.ts';

export const createUpdater = (
  options: RegistryOptions,
  get: Registry['get'],
  ownership: Ownership,
): Registry['update'] => {
  const { storage, clock } = options;

  /** Watches get the object in its last stored state, and the writer gets the result of the write. */
  const removeFinalized = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    last: T,
  ): Promise<void> => {
    await ownership.leaving(resource, object);
    const removed = await followedWrite(options, { type: 'deleted', resource, object }, async () => {
      const { metadata } = await storage.remove(resource, last);
      return { ...object, metadata: { ...object.metadata, resourceVersion: metadata.resourceVersion } };
    });
    await ownership.left(resource, removed);
  };

  const store = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    next: T,
    old: T,
  ): Promise<Pick<Written<T>, 'object' | 'outcome'>> => {
    const waits = waitsForGarbage(next);
    const kept = withSealedData(next, old);
    await ownership.adding(resource, next, old);
    if (waits) await ownership.leaving(resource, next);
    const stored = await followedWrite(
      options,
      { type: 'updated', resource, object: next, old },
      () => storage.update(resource, kept, resource.clusterNameOf?.(next), formerOf(resource, old, next)) as Promise<T>,
    );
    await ownership.added(resource, stored, old);
    if (waits) await ownership.left(resource, stored);
    return { object: stored, outcome: 'updated' };
  };

  /** The changed object, with the warnings about it. A refusal contains the warnings that come from other objects. */
  const admitted = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    { object, track }: Mutated<T>,
    current: T,
    { scope = 'main', mayRelate }: UpdateOptions,
  ): Promise<{ next: T; warnings: string[] }> => {
    const now = clock.now();
    if (scope !== 'status') await mayRelate?.(object, current);
    const related = scope === 'status' ? undefined : await options.relatedRules?.(resource, object, current);
    const warnings = related?.warnings ?? [];
    const next = await warning(warnings, async () =>
      converting(resource, () => admitUpdate(resource, object, current, scope, { track, related, now })),
    );
    return { next, warnings: [...(resource.warnings?.(next, current) ?? []), ...warnings] };
  };

  const replace = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    current: T,
    object: T,
    write: UpdateOptions,
  ): Promise<Written<T>> => {
    checkName(object.metadata, current.metadata);
    checkPreconditions(resource, object.metadata, current.metadata, write);
    const { scope = 'main' } = write;
    const track = write.track ?? trackerOf(resource, { ...write, scope }, clock.now());
    const scoped = (one: T): T => scopedUpdate(resource, one, current, scope);
    const mutated = await mutatedBy({ resource, object, old: current, scoped, track }, write);
    return warning(mutated.warnings, async () => {
      const written = await replaceMutated(resource, current, mutated, write);
      return { ...written, warnings: [...mutated.warnings, ...written.warnings] };
    });
  };

  const replaceMutated = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    current: T,
    mutated: Mutated<T>,
    write: UpdateOptions,
  ): Promise<Written<T>> => {
    checkName(mutated.object.metadata, current.metadata);
    const { next, warnings: own } = await admitted(resource, mutated, current, write);
    const asked = { object: () => next, old: current, dryRun: write.dryRun };
    const attempt = attemptOf('UPDATE', resource, asked, current.metadata);
    const warnings = [...own, ...((await write.admission?.validate(attempt)) ?? [])];
    const explained = async (type: WriteEvent['type']): Promise<string[]> => [
      ...warnings,
      ...((await write.explain?.({ type, resource, object: next, old: current })) ?? []),
    ];
    if (isFinalized(resource, next)) {
      await write.guard?.(next, current);
      if (write.dryRun) return { object: next, outcome: 'removed', warnings: await explained('deleted') };
      await removeFinalized(resource, next, current);
      return { object: next, outcome: 'removed', warnings };
    }
    if (isSame(next, current) && !storage.isOutdated?.(resource, current))
      return { object: current, outcome: 'unchanged', warnings };
    await write.guard?.(next, current);
    if (write.dryRun) {
      const rehearsed = ((await storage.rehearse?.(resource, next)) as T | undefined) ?? next;
      return { object: rehearsed, outcome: 'updated', warnings: await explained('updated') };
    }
    return { ...(await store(resource, next, current)), warnings };
  };

  const attempt = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    current: T,
    change: (current: T) => unknown,
    write: UpdateOptions,
  ): Promise<Written<T>> => {
    const changed = converting(resource, () => change(current));
    const body = changed instanceof Promise ? await changed : changed;
    if (body === undefined) return { object: current, outcome: 'unchanged', warnings: [] };
    const decoded = decodeObject(resource, body, { ...write, stored: current });
    const { object, warnings: ofOwners } = withoutDuplicateOwners(decoded.object, write.patch);
    const warnings = [...decoded.warnings, ...ofOwners];
    const written = await warning(warnings, () => replace(resource, current, object, write));
    return { ...written, warnings: [...warnings, ...written.warnings] };
  };

  return <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    change: (current: T) => unknown,
    write: UpdateOptions = {},
  ) => {
    let known = write.from as T | undefined;
    return retryOnConflict(options, { resource, name: key.name, attempts: write.attempts ?? 1 }, async () => {
      const current = known ?? (await get(resource, key));
      known = undefined;
      return attempt(resource, current, change, write);
    });
  };
};

/** Times in managedFields alone are not a change: a client that repeats its request writes nothing. */
const isSame = (next: KubeObject, current: KubeObject): boolean => {
  const { managedFields } = current.metadata;
  if (managedFields === undefined || next.metadata.managedFields === undefined) return isDeepStrictEqual(next, current);
  const aligned = { ...next, metadata: { ...next.metadata, managedFields } };
  return isDeepStrictEqual(aligned, current) && sameOwnership(next.metadata.managedFields, managedFields);
};

/**
 * An object that is being deleted stays until it has no more finalizers. A namespace also stays until it is empty, which
 * only its deletion finds out.
 */
const isFinalized = (resource: ResourceDefinition, { metadata }: KubeObject): boolean =>
  !isNamespaces(resource) &&
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  !metadata.deletionGracePeriodSeconds;
