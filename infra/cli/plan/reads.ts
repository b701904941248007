import type { Reads } from '../../../functions/preview/reads.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { CustomDefinition } from '../../../shared/kube-api/custom/definition.ts';
import { CUSTOM_DEFINITIONS } from '../../../shared/kube-api/custom/kind.ts';
import { resourcesOf } from '../../../shared/kube-api/custom/resource-of.ts';
import { apiVersionOf } from '../../../shared/kube-api/decode.ts';
import type { KubeObject, ObjectKey } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { clusterOfCustom, contractKindsOf } from '../../../shared/outside/kinds.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type Api, ApiError } from '../api/client.ts';
import { collectionPath, listAll } from '../api/resources.ts';

const pathOf = ({ plural, namespaced, ...definition }: ResourceDefinition, namespace: string | undefined): string => {
  const version = apiVersionOf(definition);
  const base = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  const isNamespaced = namespaced && namespace !== undefined;
  return collectionPath({ base, plural, group: definition.group, namespaced: isNamespaced }, namespace ?? '');
};

/** This concerns only clusters whose classes use such kinds; the plan for other clusters continues. */
const unreadable = (error: unknown): never => {
  if (error instanceof ApiError)
    throw new TopologyError(`the definitions of its kinds cannot be read: ${error.message}`);
  throw error;
};

const ifForbidden = (error: unknown): false => {
  if (error instanceof ApiError && error.status.code === 403) return false;
  throw error;
};

/**
 * A preview's reads through the API, with the user's own permissions. Throws an ApiError if the user may not read an
 * object.
 */
export const makeReads = (api: Api): Reads => {
  const list = async <T extends KubeObject>(resource: ResourceDefinition<T>, namespace?: string): Promise<T[]> =>
    // The items of a list do not name their kind.
    (await listAll<T>(api, pathOf(resource, namespace))).map((item) => ({
      ...item,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
    }));
  const definedKinds = async () => {
    const definitions = await list(CUSTOM_DEFINITIONS as ResourceDefinition<CustomDefinition>).catch(unreadable);
    const resources = definitions.flatMap((one) => resourcesOf(one, { clusterNameOf: clusterOfCustom }));
    return { resources };
  };
  return {
    contractKinds: contractKindsOf(definedKinds),
    mayReadQuotas: (namespace) => list(kinds.resourceQuota, namespace).then(() => true, ifForbidden),
    list,
    listOfCluster: async (resource, namespace, cluster) =>
      (await list(resource, namespace)).filter((object) => resource.clusterNameOf?.(object) === cluster),
    get: async <T extends KubeObject>(resource: ResourceDefinition<T>, { namespace, name }: ObjectKey) => {
      try {
        return await api.send<T>('GET', `${pathOf(resource, namespace)}/${name}`);
      } catch (error) {
        if (error instanceof ApiError && error.status.code === 404) return undefined;
        throw error;
      }
    },
  };
};
