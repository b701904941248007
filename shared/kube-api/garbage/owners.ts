import { findResource } from '../all-resources.ts';
import type { KubeObject, OwnerReference } from '../object.ts';
import type { RegistryOptions } from '../registry/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Storage } from '../storage/storage.ts';
import { isWaitingForDependents } from './finalizers.ts';
import type { Mark, Place } from './owner-index.ts';

export interface ObjectAccess extends Pick<RegistryOptions, 'resources' | 'furtherResources'> {
  storage: Pick<Storage, 'get'>;
}

export const placeOf = ({ group, plural }: ResourceDefinition, { metadata }: KubeObject): Place => ({
  group,
  plural,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

const groupOf = ({ apiVersion }: OwnerReference): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** The location of an owner; undefined if its kind is not served. A namespaced owner is in the object's namespace. */
export const ownerPlace = async (
  access: Pick<ObjectAccess, 'resources' | 'furtherResources'>,
  owner: OwnerReference,
  { metadata }: KubeObject,
): Promise<Place | undefined> => {
  // Matches the reference's kind in any version.
  const definition = await findResource(access, ({ group, kind }) => group === groupOf(owner) && kind === owner.kind);
  if (!definition) return undefined;
  const { group, plural, namespaced } = definition;
  // A cluster-scoped object cannot have a namespaced owner, because the reference does not name a namespace.
  if (namespaced && !metadata.namespace) return undefined;
  return { group, plural, namespace: namespaced ? (metadata.namespace ?? '') : '', name: owner.name };
};

/** Only metadata matters here: a Secret that cannot be decrypted must not block the collection of other objects. */
export const UNOPENED = { unopened: true } as const;

/** Returns the object that a mark refers to, if it still exists. */
export const findMarked = async ({ storage }: ObjectAccess, mark: Mark): Promise<KubeObject | undefined> => {
  const found = await storage.get(mark, mark.namespace, mark.name, UNOPENED);
  return found?.metadata.uid === mark.uid ? found : undefined;
};

/**
 * An object's owners by state. An owner of an unknown kind counts as present, so that nothing is deleted by mistake.
 */
export interface Owners {
  solid: OwnerReference[];
  /** Owners that no longer exist. */
  dangling: OwnerReference[];
  /** Owners that wait until their dependents are removed. */
  waiting: OwnerReference[];
}

export const classifyOwners = async (access: ObjectAccess, object: KubeObject): Promise<Owners> => {
  const owners: Owners = { solid: [], dangling: [], waiting: [] };
  await Promise.all(
    (object.metadata.ownerReferences ?? []).map(async (owner) => {
      const place = await ownerPlace(access, owner, object);
      const found = place && (await access.storage.get(place, place.namespace, place.name, UNOPENED));
      if (place && found?.metadata.uid !== owner.uid) owners.dangling.push(owner);
      else if (found && isWaitingForDependents(found)) owners.waiting.push(owner);
      else owners.solid.push(owner);
    }),
  );
  return owners;
};
