import type { JsonObject } from '../json.ts';
import type { ResourceDefinition } from '../resource.ts';
import { respond } from './respond.ts';
import { REVIEWS } from './reviews.ts';

/** What the server offers, in the aggregated form of new clients and in the form of one document for each version. */

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const READ_VERBS = ['get', 'list', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

/** One entry of an APIResourceList. */
interface ApiResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: readonly string[];
  shortNames?: readonly string[];
  categories?: readonly string[];
}

interface GroupVersion {
  group: string;
  version: string;
  resources: ApiResource[];
}

export const resourcesOf = (resource: ResourceDefinition): ApiResource[] => {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const main: ApiResource = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: resource.readOnly ? READ_VERBS : VERBS,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  };
  const part = (name: string, more: Partial<ApiResource>): ApiResource => ({
    ...{
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      kind,
      verbs: resource.readOnly ? ['get'] : SUBRESOURCE_VERBS,
    },
    ...more,
  });
  return [
    main,
    ...(resource.statusSubresource ? [part('status', {})] : []),
    ...(resource.scale ? [part('scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' })] : []),
  ];
};

/** All group versions with what they hold, in the order of their first resource. */
export const groupVersionsOf = (definitions: readonly ResourceDefinition[]): GroupVersion[] => {
  const found = new Map<string, GroupVersion>();
  const add = (group: string, version: string, resources: ApiResource[]): void => {
    const entry = found.get(`${group}/${version}`) ?? { group, version, resources: [] };
    entry.resources.push(...resources);
    found.set(`${group}/${version}`, entry);
  };
  for (const definition of definitions) add(definition.group, definition.version, resourcesOf(definition));
  for (const { group, version, plural, singular, kind, namespaced } of REVIEWS) {
    add(group, version, [{ name: plural, singularName: singular, namespaced, kind, verbs: ['create'] }]);
  }
  return [...found.values()];
};

const AGGREGATED =
  /application\/json\s*;(?=[^,]*g=apidiscovery\.k8s\.io)(?=[^,]*as=APIGroupDiscoveryList)[^,]*v=(v2beta1|v2)\b/;

/** Answers /api, /apis and what lies right under them; undefined for other paths. */
export const createDiscovery = (definitions: readonly ResourceDefinition[]) => {
  const all = groupVersionsOf(definitions);
  const core = all.filter(({ group }) => group === '');
  const named = all.filter(({ group }) => group !== '');
  return (path: string, accept: string | null): Response | undefined => {
    const [root, ...rest] = path.split('/').filter((segment) => segment !== '');
    if (root === 'api') return discoverCore(core, rest, accept);
    return root === 'apis' ? discoverNamed(named, rest, accept) : undefined;
  };
};

const discoverCore = (offered: readonly GroupVersion[], path: string[], accept: string | null) => {
  if (path.length === 0) return respondAggregated(offered, accept) ?? respond(apiVersions(offered));
  const found = offered.find(({ version }) => version === path[0]);
  return found && path.length === 1 ? respond(resourceList(found)) : undefined;
};

const discoverNamed = (offered: readonly GroupVersion[], path: string[], accept: string | null) => {
  const [name, wanted] = path;
  if (name === undefined) return respondAggregated(offered, accept) ?? respond(groupList(offered));
  const ofGroup = offered.filter(({ group }) => group === name);
  const [group] = groupsOf(ofGroup);
  if (wanted === undefined) return group && respond({ kind: 'APIGroup', apiVersion: 'v1', ...group });
  const found = ofGroup.find(({ version }) => version === wanted);
  return found && path.length === 2 ? respond(resourceList(found)) : undefined;
};

const groupVersionName = ({ group, version }: GroupVersion): string => (group === '' ? version : `${group}/${version}`);

const apiVersions = (offered: readonly GroupVersion[]): JsonObject => ({
  kind: 'APIVersions',
  versions: offered.map(({ version }) => version),
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '' }],
});

const groupsOf = (offered: readonly GroupVersion[]): JsonObject[] =>
  [...Map.groupBy(offered, ({ group }) => group)].map(([name, entries]) => {
    const versions = entries.map((entry) => ({ groupVersion: groupVersionName(entry), version: entry.version }));
    return { name, versions, preferredVersion: versions[0] };
  });

const groupList = (offered: readonly GroupVersion[]): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupsOf(offered),
});

const resourceList = (entry: GroupVersion): JsonObject => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersionName(entry),
  resources: entry.resources,
});

/** The aggregated form, where the client asks for it. */
const respondAggregated = (offered: readonly GroupVersion[], accept: string | null): Response | undefined => {
  const version = AGGREGATED.exec(accept ?? '')?.[1];
  if (version === undefined) return undefined;
  const items = [...Map.groupBy(offered, ({ group }) => group)].map(([name, entries]) => ({
    metadata: { name, creationTimestamp: null },
    versions: entries.map((entry) => ({
      version: entry.version,
      freshness: 'Current',
      resources: aggregatedResources(entry),
    })),
  }));
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
  return respond(body, { headers: { 'content-type': contentType, vary: 'Accept' } });
};

const aggregatedResources = ({ group, version, resources }: GroupVersion): JsonObject[] => {
  const kindOf = (resource: ApiResource): JsonObject => ({
    group: resource.group ?? group,
    version: resource.version ?? version,
    kind: resource.kind,
  });
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => {
      const prefix = `${resource.name}/`;
      const parts = resources.filter(({ name }) => name.startsWith(prefix));
      return {
        resource: resource.name,
        responseKind: kindOf(resource),
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: resource.singularName,
        verbs: resource.verbs,
        ...(resource.shortNames ? { shortNames: resource.shortNames } : {}),
        ...(resource.categories ? { categories: resource.categories } : {}),
        ...(parts.length > 0
          ? {
              subresources: parts.map((part) => ({
                subresource: part.name.slice(prefix.length),
                responseKind: kindOf(part),
                verbs: part.verbs,
              })),
            }
          : {}),
      };
    });
};
