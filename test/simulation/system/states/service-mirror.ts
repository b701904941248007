/**
 * The Services of the workload clusters, read without requests: they are compared in the middle of steps, where reading
 * must not affect what happens next.
 */
import type { KubeObject, ResourceId } from '../../../../shared/kube-api/object.ts';
import type { Storage } from '../../../../shared/kube-api/storage/storage.ts';

export interface ServiceMirror {
  /** Must be called before a new cluster has Services. */
  follow(clusters: readonly { readonly storage: Storage }[]): void;
  /** The Services without node ports, which depend on the uids. */
  objects(): readonly KubeObject[];
  /** Increases with each write. */
  readonly version: number;
}

const PORTS = new Set(['nodePort', 'healthCheckNodePort']);

const withoutPorts = (object: KubeObject): KubeObject =>
  JSON.parse(JSON.stringify(object, (key, value: unknown) => (PORTS.has(key) ? undefined : value)));

const isService = ({ group, plural }: ResourceId): boolean => group === '' && plural === 'services';

export const makeServiceMirror = (): ServiceMirror => {
  const followed = new Set<Storage>();
  const services = new Map<string, KubeObject>();
  let version = 0;
  const note = (resource: ResourceId, object: KubeObject, isThere: boolean): KubeObject => {
    if (!isService(resource)) return object;
    version += 1;
    const { uid = '' } = object.metadata;
    if (isThere) services.set(uid, withoutPorts(object));
    else services.delete(uid);
    return object;
  };
  const followOne = (storage: Storage): void => {
    const { create, update, remove } = storage;
    storage.create = async (resource, ...given) => note(resource, await create(resource, ...given), true);
    storage.update = async (resource, ...given) => note(resource, await update(resource, ...given), true);
    storage.remove = async (resource, ...given) => note(resource, await remove(resource, ...given), false);
  };
  return {
    follow: (clusters) => {
      for (const { storage } of clusters) {
        if (followed.has(storage)) continue;
        followed.add(storage);
        followOne(storage);
      }
    },
    objects: () => [...services.values()],
    get version() {
      return version;
    },
  };
};
