import { isDeepStrictEqual } from 'node:util';
import { SealError } from '../../../shared/errors.ts';
import { type ClusterResourceSet, type ConfigMap, kinds, type Secret } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ReadOptions } from '../../../shared/kube-api/storage/storage.ts';
import { ownedBy } from '../../../shared/plan/addons/binding.ts';
import { isWrongSecret, type Source } from '../../../shared/plan/addons/source.ts';

/**
 * Makes the set an owner of an object that it names, so that the object is deleted with the set, as upstream does. A
 * Secret of another type contains no manifests: it was named by mistake and must survive the set.
 */
const adopt =
  (set: ClusterResourceSet, ref: Source['ref']) =>
  <T extends ConfigMap | Secret>(object: T): T | undefined => {
    const { ownerReferences, deletionTimestamp } = object.metadata;
    const isOwner = ownerReferences?.some(({ uid }) => uid === set.metadata.uid);
    if (isOwner || deletionTimestamp || isWrongSecret({ ref, object })) return undefined;
    const next = ownedBy(ownerReferences, set);
    // There is no room for another owner.
    if (isDeepStrictEqual(next, ownerReferences)) return undefined;
    return { ...object, metadata: { ...object.metadata, ownerReferences: next } };
  };

/** A set, and an object that it names. */
export interface SetSource {
  set: ClusterResourceSet;
  ref: Source['ref'];
}

type Objects = Pick<ObjectClient, 'get' | 'mutate'>;

/**
 * Reads the set again, after its object was read: with `--cascade=orphan`, that was perhaps just released by the set, and
 * with the uid of a set that no longer exists it would be deleted as garbage.
 */
const isStaying = async (objects: Objects, set: ClusterResourceSet): Promise<boolean> => {
  const current = await objects.get(kinds.clusterResourceSet, keyOf(set));
  return current?.metadata.uid === set.metadata.uid && !current?.metadata.deletionTimestamp;
};

/** Other writers may change an object this many times while a set becomes its owner; then a later pass tries again. */
const ATTEMPTS = 4;

/**
 * Reads an object that a set names, and makes the set an owner of it. The set is read only if it is not an owner yet; it
 * becomes none if it is gone or being deleted.
 */
const readOwned = async (
  objects: Objects,
  { set, ref }: SetSource,
  options?: ReadOptions,
): Promise<ConfigMap | Secret | undefined> => {
  const key = { namespace: set.metadata.namespace ?? '', name: ref.name };
  const resource = (ref.kind === 'Secret' ? kinds.secret : kinds.configMap) as ResourceDefinition<ConfigMap | Secret>;
  const change = adopt(set, ref);
  let object = await objects.get(resource, key, options);
  for (let attempt = 0; attempt < ATTEMPTS && object && change(object); attempt += 1) {
    if (!(await isStaying(objects, set))) return object;
    const { resourceVersion } = object.metadata;
    // A later version of the object was read after the set: the set is read again before that one is changed.
    const changeAsRead: typeof change = (current) =>
      current.metadata.resourceVersion === resourceVersion ? change(current) : undefined;
    object = await objects.mutate(resource, key, changeAsRead, { from: object });
  }
  return object;
};

/** Reads the objects that a set names, in order, and makes the set an owner of them. */
export const readSources = (objects: Objects, set: ClusterResourceSet): Promise<Source[]> =>
  Promise.all(set.spec.resources.map(async (ref) => ({ ref, object: await readOwned(objects, { set, ref }) })));

/**
 * Makes a set an owner of an object again if a user has removed that: the object would otherwise be neither moved nor
 * deleted with the set. For sets that are applied, whose objects no pass reads otherwise.
 */
export const restoreSourceOwner = async (objects: Objects, source: SetSource): Promise<void> => {
  try {
    // Most need no change, and opening a Secret costs a call.
    await readOwned(objects, source, { unopened: true });
  } catch (error) {
    // Nobody can read or write such a Secret any more; the set was applied before.
    if (!(error instanceof SealError)) throw error;
  }
};
