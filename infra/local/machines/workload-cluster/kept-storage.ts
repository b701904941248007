/** The objects of a workload cluster, which are written to a vault with each change. */
import type { OwnerIndex } from '../../../../shared/kube-api/garbage/owner-index.ts';
import type { KubeObject, ResourceId } from '../../../../shared/kube-api/object.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../../../shared/kube-api/storage/storage.ts';
import { shelfOf, type Vault } from '../../keep/vault.ts';

interface KeptObject {
  resource: ResourceId;
  object: KubeObject;
  cluster: string | undefined;
}

const nameOf = ({ group, plural }: ResourceId, { metadata }: KubeObject): string =>
  `${plural}.${group}/${metadata.namespace ?? ''}/${metadata.name}`;

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

/** By resource: its id, its objects, and its newest version so far. */
const readAll = (vault: Vault) => {
  const objects = vault.names('object/').flatMap((name) => vault.read<KeptObject>(name) ?? []);
  const removals = vault
    .names('removed/')
    .flatMap((name) => vault.read<{ resource: ResourceId; version: number }>(name) ?? []);
  return { objects, removals };
};

/** Links the kept objects to their owners. */
export const restoreLinks = async (index: OwnerIndex, vault: Vault): Promise<void> => {
  for (const { object, resource } of readAll(vault).objects)
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const { name, namespace = '' } = object.metadata;
      await index.link(uid, { group: resource.group, plural: resource.plural, namespace, name });
    }
};

/** Storage in memory that begins with the contents of the vault and writes each change to it. */
export const createKeptStorage = () => {
  /** Collects changes until the cluster has a name under which it is stored. */
  let pending: ((vault: Vault) => void)[] | undefined = [];
  let sink: Vault | undefined;
  const note = (act: (vault: Vault) => void): void => {
    if (sink) act(sink);
    else pending?.push(act);
  };
  const put = (resource: ResourceId, object: KubeObject, cluster: string | undefined): KubeObject => {
    const { group, plural } = resource;
    note((vault) =>
      vault.write(`object/${nameOf(resource, object)}`, { resource: { group, plural }, object, cluster }),
    );
    return object;
  };
  const over = (storage: Storage): Storage => ({
    ...storage,
    create: async (resource, object, cluster) =>
      put(resource, await storage.create(resource, object, cluster), cluster),
    update: async (resource, object, cluster) =>
      put(resource, await storage.update(resource, object, cluster), cluster),
    remove: async (resource, object) => {
      const removed = await storage.remove(resource, object);
      const { group, plural } = resource;
      note((vault) => {
        vault.write(`removed/${plural}.${group}`, { resource: { group, plural }, version: versionOf(removed) });
        vault.remove(`object/${nameOf(resource, object)}`);
      });
      return removed;
    },
  });
  return {
    /** `from`: the state that an earlier start has stored. */
    open: (from?: Vault): Storage => {
      const { objects, removals } = from ? readAll(from) : { objects: [], removals: [] };
      const restored = [
        ...objects.map(({ resource, object, cluster }) => ({ resource, object, cluster, version: versionOf(object) })),
        ...removals,
      ];
      return over(createMemoryStorage({ restored }));
    },
    /** Writes all previous changes to the vault, and all later ones. */
    attach: (vault: Vault): void => {
      for (const act of pending ?? []) act(vault);
      pending = undefined;
      sink = vault;
    },
  };
};

/** Removes a cluster from the vault. */
export const forget = (vault: Vault, uid: string): void => {
  const shelf = shelfOf(vault, `${uid}/`);
  for (const name of shelf.names('')) shelf.remove(name);
};
