import { type ClusterResourceSet, type ConfigMap, kinds, type Secret } from '../../../shared/kinds/index.ts';
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
    return { ...object, metadata: { ...object.metadata, ownerReferences: ownedBy(ownerReferences, set) } };
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
