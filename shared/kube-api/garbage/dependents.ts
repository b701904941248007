import { findResource } from '../all-resources.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import type { Mark, Place } from './owner-index.ts';
import { classifyOwners, UNOPENED } from './owners.ts';
import type { Round } from './round.ts';

/**
 * The result for a dependent. `blocking`: it still blocks its owner. `done`: it does not. `unrelated`: it does not
 * exist (yet), or does not name the owner. `failed`: another writer changed it at the same time.
 */
export type Outcome = 'blocking' | 'done' | 'unrelated' | 'failed';

const UPDATE = { scope: 'all', attempts: 8 } as const;

const definitionOf = ({ options }: Round, { group, plural }: Place): Promise<ResourceDefinition | undefined> =>
  findResource(options, (resource) => resource.group === group && resource.plural === plural);

/**
 * Deletes a dependent of the marked owner. If another owner remains, only removes the owners that no longer exist or
 * wait for their dependents, as Kubernetes' garbage collector does.
 */
export const attemptToDelete = async (round: Round, mark: Mark, place: Place): Promise<Outcome> => {
  const { options, index } = round;
  const resource = await definitionOf(round, place);
  const object = resource && (await options.storage.get(resource, place.namespace, place.name, UNOPENED));
  const reference = object?.metadata.ownerReferences?.find(({ uid }) => uid === mark.uid);
  if (!resource || !object || !reference) return 'unrelated';
  const blocking = reference.blockOwnerDeletion ? 'blocking' : 'done';
  if (object.metadata.deletionTimestamp) return blocking;
  const { solid, dangling, waiting } = await classifyOwners(options, object);
  if (solid.some(({ uid }) => uid === mark.uid)) return 'done';
  if (solid.length > 0) {
    await dropOwners(
      round,
      place,
      [...dangling, ...waiting].map(({ uid }) => uid),
    );
    return 'done';
  }
  // If its owner waits, the dependent must wait for its own dependents, so that the top owner of a chain is removed
  // last.
  const { uid = '' } = object.metadata;
  const isOwner = waiting.length > 0 && (await index.dependents(uid)).length > 0;
  return (await remove(round, resource, object, isOwner)) ?? blocking;
};

/** Deletes the object; returns undefined if finalizers keep it. */
const remove = async (
  { remove: removeObject, touched, before }: Round,
  resource: ResourceDefinition,
  object: KubeObject,
  isOwner: boolean,
): Promise<Outcome | undefined> => {
  const { namespace = '', name, uid, resourceVersion } = object.metadata;
  try {
    await before?.({ resource, object });
    const written = await removeObject(
      resource,
      { namespace, name },
      {
        preconditions: { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) },
        ...(isOwner ? { propagationPolicy: 'Foreground' } : {}),
      },
    );
    touched.push({ resource, object });
    return written.outcome === 'removed' ? 'done' : undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.reason === 'NotFound') return 'done';
    // The object, and perhaps its owners, changed after it was read: the next run decides again.
    if (error.reason === 'Conflict') return 'failed';
    throw error;
  }
};

/** Removes the references to these owners from an object. */
export const dropOwners = async (round: Round, place: Place, uids: readonly string[]): Promise<void> => {
  const { options, update, index, touched, before } = round;
  const resource = await definitionOf(round, place);
  if (!resource) return;
  const from = await options.storage.get(resource, place.namespace, place.name, UNOPENED);
  const isKept = ({ uid }: { uid: string }): boolean => !uids.includes(uid);
  // A link of the index may be left over from an object that no longer names these owners.
  const namesThem = from?.metadata.ownerReferences?.some((owner) => !isKept(owner));
  if (from && namesThem) await before?.({ resource, object: from });
  try {
    const written = await update(
      resource,
      place,
      (current) => {
        const owners = current.metadata.ownerReferences ?? [];
        if (owners.every(isKept)) return undefined;
        return { ...current, metadata: { ...current.metadata, ownerReferences: owners.filter(isKept) } };
      },
      { ...UPDATE, ...(from ? { from } : {}) },
    );
    if (written.outcome !== 'unchanged') touched.push({ resource, object: written.object });
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'NotFound')) throw error;
  }
  await Promise.all(uids.map((uid) => index.unlink(uid, place)));
};
