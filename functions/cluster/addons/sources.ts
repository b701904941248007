import { isDeepStrictEqual } from 'node:util';
import { SealError } from '../../../shared/errors.ts';
import { type ClusterResourceSet, type ConfigMap, kinds, type Secret } from '../../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { ownedBy } from '../../../shared/plan/addons/binding.ts';
import { isWrongSecret, type Source } from '../../../shared/plan/addons/source.ts';

/**
 * Makes the set an owner of an object that it names, so that the object is deleted with the set, as upstream does. A
 * Secret of another type contains no manifests: it was named by mistake and must survive the set.
 */
const adopt =
  (set: ClusterResourceSet, ref: Source['ref']) =>
  <T extends ConfigMap | Secret>(object: T): T | undefined => {
    const { ownerReferences } = object.metadata;
    if (isWrongSecret({ ref, object }) || ownerReferences?.some(({ uid }) => uid === set.metadata.uid)) {
      return undefined;
    }
    const next = ownedBy(ownerReferences, set);
    // There is no room for another owner.
    if (isDeepStrictEqual(next, ownerReferences)) return undefined;
    return { ...object, metadata: { ...object.metadata, ownerReferences: next } };
  };

/** Reads the objects that a set names, in order, and makes the set an owner of them. */
export const readSources = (objects: ObjectClient, set: ClusterResourceSet): Promise<Source[]> =>
  Promise.all(
    set.spec.resources.map(async (ref) => {
      const key = { namespace: set.metadata.namespace ?? '', name: ref.name };
      const object: ConfigMap | Secret | undefined =
        ref.kind === 'Secret'
          ? await objects.mutate(kinds.secret, key, adopt(set, ref))
          : await objects.mutate(kinds.configMap, key, adopt(set, ref));
      return { ref, object };
    }),
  );

/** A set, and an object that it names. */
export interface SetSource {
  set: ClusterResourceSet;
  ref: Source['ref'];
}

/**
 * Makes a set an owner of an object again if a user has removed that: the object would otherwise be neither moved nor
 * deleted with the set. For sets that are applied, whose objects no pass reads otherwise.
 */
export const restoreSourceOwner = async (
  objects: Pick<ObjectClient, 'get' | 'mutate'>,
  { set, ref }: SetSource,
): Promise<void> => {
  const key = { namespace: set.metadata.namespace ?? '', name: ref.name };
  const resource = (ref.kind === 'Secret' ? kinds.secret : kinds.configMap) as ResourceDefinition<ConfigMap | Secret>;
  // Most need no change, and opening a Secret costs a call.
  const object = await objects.get(resource, key, { unopened: true });
  const change = adopt(set, ref);
  if (!object || object.metadata.deletionTimestamp || !change(object)) return;
  try {
    await objects.mutate(resource, key, change);
  } catch (error) {
    // Nobody can read or write such a Secret any more; the set was applied before.
    if (!(error instanceof SealError)) throw error;
  }
};
