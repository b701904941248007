import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError } from './client.ts';

/** Where objects of a kind live. */
export interface Resource {
  group: string;
  plural: string;
  namespaced: boolean;
  /** `/apis/<group>/<version>`, or `/api/v1`. */
  base: string;
}

interface ResourceList {
  resources: { name: string; kind: string; namespaced: boolean }[];
}

const baseOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

const askFor = async (api: Api, base: string): Promise<ResourceList> => {
  try {
    return await api.send<ResourceList>('GET', base);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return { resources: [] };
    throw error;
  }
};

/** Finds resources by asking the API, each group version once; undefined for a kind that it does not serve. */
export const makeFindResource = (api: Api) => {
  const lists = new Map<string, Promise<ResourceList>>();
  return async ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Promise<Resource | undefined> => {
    const base = baseOf(apiVersion);
    const list = lists.get(base) ?? askFor(api, base);
    lists.set(base, list);
    const { resources } = await list;
    const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    return found && { group: groupOf(apiVersion), plural: found.name, namespaced: found.namespaced, base };
  };
};

/** Path of a collection. */
export const collectionPath = ({ base, plural, namespaced }: Resource, namespace: string): string =>
  namespaced ? `${base}/namespaces/${namespace}/${plural}` : `${base}/${plural}`;
