import type { Reads } from '../../../functions/preview/reads.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { CustomDefinition } from '../../../shared/kube-api/custom/definition.ts';
import { CUSTOM_DEFINITIONS } from '../../../shared/kube-api/custom/kind.ts';
import { resourcesOf } from '../../../shared/kube-api/custom/resource-of.ts';
import { apiVersionOf } from '../../../shared/kube-api/decode.ts';
import type { KubeObject, ObjectKey } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import {
  clusterOfCustom,
  contractKindsOf,
  isOutside,
  type OutsideKind,
  resolve,
} from '../../../shared/outside/kinds.ts';
import { viewOf } from '../../../shared/outside/view.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type Api, ApiError } from '../api/client.ts';
import { collectionPath, listAll } from '../api/resources.ts';

const pathOf = ({ plural, namespaced, ...definition }: ResourceDefinition, namespace: string | undefined): string => {
  const version = apiVersionOf(definition);
  const base = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  const isNamespaced = namespaced && namespace !== undefined;
  return collectionPath({ base, plural, group: definition.group, namespaced: isNamespaced }, namespace ?? '');
};

/** A kind as the API serves it, and what the planners see of its objects. */
interface Served<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  show(stored: T): T;
}

/** The definition of an external provider's kind, as the functions find it (shared/store/outside-client.ts). */
const servedOutside = <T extends KubeObject>(
  kind: OutsideKind<T>,
  definitions: readonly ResourceDefinition[],
): Served<T> | undefined => {
  const found = resolve(kind, definitions);
  return found && { resource: found.resource, show: (stored) => viewOf(kind.outside, stored, found.contract) as T };
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

/** All objects of a kind that the API serves. */
const listServed = async <T extends KubeObject>(
  api: Api,
  resource: ResourceDefinition<T>,
  namespace?: string,
): Promise<T[]> =>
  // The items of a list do not name their kind.
  (await listAll<T>(api, pathOf(resource, namespace))).map((item) => ({
    ...item,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
  }));

/** The kinds of all CustomResourceDefinitions, which are read once. */
const makeDefinedKinds = (api: Api) => {
  let reading: Promise<ResourceDefinition[]> | undefined;
  const read = async () =>
    (await listServed(api, CUSTOM_DEFINITIONS as ResourceDefinition<CustomDefinition>)).flatMap((one) =>
      resourcesOf(one, { clusterNameOf: clusterOfCustom }),
    );
  return (): Promise<ResourceDefinition[]> => {
    reading ??= read();
    return reading;
  };
};

/**
 * A preview's reads through the API, with the user's own permissions. An external provider's kind without a definition
 * has no objects. Throws an ApiError if the user may not read an object.
 */
export const makeReads = (api: Api): Reads => {
  const definedKinds = makeDefinedKinds(api);
  const served = async <T extends KubeObject>(resource: ResourceDefinition<T>): Promise<Served<T> | undefined> =>
    isOutside<T>(resource) ? servedOutside(resource, await definedKinds()) : { resource, show: (stored) => stored };
  const list = async <T extends KubeObject>(wanted: ResourceDefinition<T>, namespace?: string): Promise<T[]> => {
    const found = await served(wanted);
    return found ? (await listServed(api, found.resource, namespace)).map(found.show) : [];
  };
  return {
    contractKinds: contractKindsOf(async () => ({ resources: await definedKinds().catch(unreadable) })),
    mayReadQuotas: (namespace) => list(kinds.resourceQuota, namespace).then(() => true, ifForbidden),
    list,
    listOfCluster: async (resource, namespace, cluster) =>
      (await list(resource, namespace)).filter(
        (object) => (isOutside(resource) ? clusterOfCustom : resource.clusterNameOf)?.(object) === cluster,
      ),
    get: async <T extends KubeObject>(wanted: ResourceDefinition<T>, { namespace, name }: ObjectKey) => {
      const found = await served(wanted);
      if (!found) return undefined;
      try {
        return found.show(await api.send<T>('GET', `${pathOf(found.resource, namespace)}/${name}`));
      } catch (error) {
        if (error instanceof ApiError && error.status.code === 404) return undefined;
        throw error;
      }
    },
  };
};
