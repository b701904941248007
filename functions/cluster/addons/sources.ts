import { type ClusterResourceSet, type ConfigMap, kinds, type Secret } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ownedBy } from '../../../shared/plan/addons/binding.ts';
import type { Source } from '../../../shared/plan/addons/source.ts';

/** Makes the set an owner of an object that it names, so that the object is deleted with the set: upstream's rule. */
const adopt =
  (set: ClusterResourceSet) =>
  <T extends KubeObject>(object: T): T | undefined => {
    const { ownerReferences } = object.metadata;
    if (ownerReferences?.some(({ uid }) => uid === set.metadata.uid)) return undefined;
    return { ...object, metadata: { ...object.metadata, ownerReferences: ownedBy(ownerReferences, set) } };
  };

/** Reads the objects that a set names, in order, and makes the set an owner of them. */
export const readSources = (objects: ObjectClient, set: ClusterResourceSet): Promise<Source[]> =>
  Promise.all(
    set.spec.resources.map(async (ref) => {
      const key = { namespace: set.metadata.namespace ?? '', name: ref.name };
      const object: ConfigMap | Secret | undefined =
        ref.kind === 'Secret'
          ? await objects.mutate(kinds.secret, key, adopt(set))
          : await objects.mutate(kinds.configMap, key, adopt(set));
      return { ref, object };
    }),
  );
