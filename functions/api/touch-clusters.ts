import { describeError } from '../../shared/decode/describe-error.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { WriteEvent } from '../../shared/kube-api/registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { Storage } from '../../shared/kube-api/storage.ts';
import type { Log } from '../../shared/log.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { affectedByAddons } from './affected-addons.ts';
import { affectedClusters, type Item, needsReferrers, REFERRING_KINDS } from './affected-clusters.ts';
import { identityUsers } from './identity-users.ts';

export interface TouchDependencies {
  kinds: readonly ResourceDefinition[];
  storage: Pick<Storage, 'get' | 'list'>;
  touch(cluster: ClusterRef): Promise<void>;
  log: Log;
}

/**
 * Asks for a pass over each cluster that a write concerns. Never rejects: the write has happened and the client shall
 * hear of it; what could not be started here the sweep starts.
 */
export const makeTouchClusters = ({ kinds, storage, touch, log }: TouchDependencies) => {
  const clusters = kinds.find(({ kind }) => kind === 'Cluster');
  if (!clusters) throw new Error('the kinds do not include Cluster');
  const referring = kinds.filter(({ kind }) => REFERRING_KINDS.includes(kind));

  const readAll = async <T extends KubeObject>(resource: ResourceDefinition<T>, namespace?: string): Promise<T[]> => {
    const items: KubeObject[] = [];
    let token: string | undefined;
    do {
      const page = await storage.list(resource, { namespace, continue: token });
      items.push(...page.items);
      token = page.continue;
    } while (token !== undefined);
    return items as T[];
  };

  const readReferrers = async (namespace: string): Promise<Item[]> => {
    const read = async (resource: ResourceDefinition): Promise<Item[]> =>
      (await readAll(resource, namespace)).map((object) => ({ resource, object }));
    return (await Promise.all(referring.map(read))).flat();
  };

  const affectedBy = async (item: Item): Promise<string[]> => {
    const namespace = item.object.metadata.namespace ?? '';
    const [own, byAddons] = await Promise.all([
      needsReferrers(item) ? readReferrers(namespace) : [],
      affectedByAddons(item, (resource) => readAll(resource, namespace)),
    ]);
    return [...affectedClusters(item, own), ...byAddons];
  };

  /** The cluster of that name as it is now; the object at hand where it is the cluster itself. */
  const find = async ({ resource, object }: WriteEvent, name: string): Promise<KubeObject | undefined> =>
    resource.kind === 'Cluster' ? object : storage.get(clusters, object.metadata.namespace ?? '', name);

  const touchOne = async (event: WriteEvent, name: string): Promise<void> => {
    const { namespace = '', uid } = (await find(event, name))?.metadata ?? {};
    // A cluster that does not exist yet is touched by its own creation.
    if (uid) await touch({ namespace, name, uid });
  };

  const touchCluster = async ({ metadata: { namespace = '', name, uid } }: KubeObject): Promise<void> => {
    if (uid) await touch({ namespace, name, uid });
  };

  return async (event: WriteEvent): Promise<void> => {
    const { resource, object, old, type } = event;
    // A Cluster that is gone has nothing left to converge.
    if (resource.kind === 'Cluster' && type === 'deleted') return;
    try {
      const items = [object, ...(old ? [old] : [])].map((version) => ({ resource, object: version }));
      const names = new Set((await Promise.all(items.map(affectedBy))).flat());
      await Promise.all([...names].map((name) => touchOne(event, name)));
      await Promise.all((await identityUsers({ resource, object }, readAll)).map(touchCluster));
    } catch (error) {
      log.error('A write was not followed by a pass', {
        kind: resource.kind,
        namespace: object.metadata.namespace,
        name: object.metadata.name,
        ...describeError(error),
      });
    }
  };
};
