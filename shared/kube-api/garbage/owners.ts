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

/** Where the owner of an object would be; undefined for a kind that is not served here. Owners are in its namespace. */
export const ownerPlace = async (
  access: Pick<ObjectAccess, 'resources' | 'furtherResources'>,
  owner: OwnerReference,
  { metadata }: KubeObject,
): Promise<Place | undefined> => {
  // The kind that the reference names, whatever its version.
  const definition = await findResource(access, ({ group, kind }) => group === groupOf(owner) && kind === owner.kind);
  if (!definition) return undefined;
  const { group, plural, namespaced } = definition;
  // A cluster-scoped object cannot have an owner in a namespace: the namespace would be ambiguous.
  if (namespaced && !metadata.namespace) return undefined;
  return { group, plural, namespace: namespaced ? (metadata.namespace ?? '') : '', name: owner.name };
};

/** Owners and dependents are judged by their metadata: a Secret that cannot be opened must not keep others. */
export const UNOPENED = { unopened: true } as const;

/** The owner that a mark is about, if it still exists. */
export const findMarked = async ({ storage }: ObjectAccess, mark: Mark): Promise<KubeObject | undefined> => {
  const found = await storage.get(mark, mark.namespace, mark.name, UNOPENED);
  return found?.metadata.uid === mark.uid ? found : undefined;
};

/** The owners of an object by their state. One of an unknown kind counts as present, so that nothing is lost. */
export interface Owners {
  solid: OwnerReference[];
  /** They no longer exist. */
  dangling: OwnerReference[];
  /** They wait for their dependents to go. */
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
