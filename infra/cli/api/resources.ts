import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError } from './answer.ts';

/** The address of objects of a kind. */
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

interface Group {
  preferredVersion?: { groupVersion: string };
}

const baseOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

/** The answer to a GET; undefined if the API has no such resource. */
export const find = async <T>(api: Api, path: string): Promise<T | undefined> => {
  try {
    return await api.send<T>('GET', path);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return undefined;
    throw error;
  }
};

interface Page<T> {
  items: T[];
  metadata: { resourceVersion?: string; continue?: string };
}

/** The size of a page, as kubectl's: one answer cannot hold a large list. */
const PAGE = 500;

/** All objects of a collection, page by page. `selector` is a label selector; empty selects everything. */
export const listAll = async <T>(api: Api, path: string, selector = ''): Promise<T[]> => {
  const items: T[] = [];
  let next = '';
  do {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (selector !== '') query.set('labelSelector', selector);
    if (next !== '') query.set('continue', next);
    const page = await api.send<Page<T>>('GET', `${path}?${query}`);
    items.push(...page.items);
    next = page.metadata.continue ?? '';
  } while (next !== '');
  return items;
};

/** The version of a collection, which changes with each write to an object of its kind. */
export const readRevision = async (api: Api, path: string): Promise<string> =>
  (await api.send<Page<unknown>>('GET', `${path}?limit=1`)).metadata.resourceVersion ?? '';

/** Finds resources by asking the API, once for each group version; undefined for a kind that it does not serve. */
export const makeFindResource = (api: Api) => {
  const lists = new Map<string, Promise<ResourceList | undefined>>();
  return async ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Promise<Resource | undefined> => {
    const base = baseOf(apiVersion);
    const list = lists.get(base) ?? find<ResourceList>(api, base);
    lists.set(base, list);
    const found = (await list)?.resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    return found && { group: groupOf(apiVersion), plural: found.name, namespaced: found.namespaced, base };
  };
};

/** Finds the resource of a reference without version, in the API's preferred version; each group is queried once. */
export const makeFindReferred = (api: Api) => {
  const findResource = makeFindResource(api);
  const groups = new Map<string, Promise<Group | undefined>>();
  return async ({ apiGroup, kind }: { apiGroup: string; kind: string }): Promise<Resource | undefined> => {
    const group = groups.get(apiGroup) ?? find<Group>(api, `/apis/${apiGroup}`);
    groups.set(apiGroup, group);
    const apiVersion = (await group)?.preferredVersion?.groupVersion;
    return apiVersion === undefined ? undefined : findResource({ apiVersion, kind });
  };
};

/** Path of a collection. */
export const collectionPath = ({ base, plural, namespaced }: Resource, namespace: string): string =>
  namespaced ? `${base}/namespaces/${namespace}/${plural}` : `${base}/${plural}`;

/** The path of an object that a user names. The names may contain any characters, and none can become a query. */
export const namedPath = (base: string, plural: string, { namespace, name }: { namespace: string; name: string }) =>
  `${base}/namespaces/${encodeURIComponent(namespace)}/${plural}/${encodeURIComponent(name)}`;
