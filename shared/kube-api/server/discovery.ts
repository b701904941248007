import { createHash } from 'node:crypto';
import { byPreference } from '../custom/resource-of.ts';
import type { JsonObject } from '../json.ts';
import type { ResourceDefinition } from '../resource.ts';
import { methodNotAllowed } from '../status-error.ts';
import { negotiate } from './accept.ts';
import { respondAggregated } from './aggregated-discovery.ts';
import type { ApiResource, GroupVersion } from './api-resource.ts';
import { segmentsOf } from './path-segment.ts';
import { respond } from './respond.ts';
import { REVIEWS } from './review-kinds.ts';

/** Discovery, in the aggregated form for new clients and in the form of one document for each version. */

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SORTED_VERBS = VERBS.toSorted();
const READ_VERBS = ['get', 'list', 'watch'];
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

const verbsOf = ({ readOnly, builtIn, withoutVerbs = [], custom }: ResourceDefinition): readonly string[] => {
  if (readOnly) return READ_VERBS;
  const verbs = custom?.isTerminating ? TERMINATING_VERBS : builtIn ? SORTED_VERBS : VERBS;
  return verbs.filter((verb) => !withoutVerbs.includes(verb));
};

/** As in upstream, the first eight bytes of a digest of the stored form. */
const storageVersionHash = ({ group, version, kind }: Pick<ResourceDefinition, 'group' | 'version' | 'kind'>): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');

const storedAs = (resource: ResourceDefinition) => {
  const { custom, group, kind, view } = resource;
  return custom ? { group, kind, version: custom.storageVersion } : (view?.storage ?? resource);
};

const resourcesOf = (resource: ResourceDefinition): ApiResource[] => {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const main: ApiResource = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    storageVersionHash: storageVersionHash(storedAs(resource)),
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
    ...Object.entries(resource.actions ?? {}).map(([name, { group, version, kind: answers }]) =>
      part(name, { group, version, kind: answers, verbs: ['create'] }),
    ),
    ...(resource.finalize ? [part('finalize', { verbs: ['update'] })] : []),
    ...(resource.scale ? [part('scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' })] : []),
  ];
};

/**
 * The versions of one group, the preferred one first. Those of the server's own kinds have the order of their
 * definitions. Others are added by clients, in any order, and are sorted as upstream sorts them.
 */
const inOrder = (versions: readonly GroupVersion[]): GroupVersion[] => [
  ...versions.filter(({ isCustom }) => !isCustom),
  ...versions.filter(({ isCustom }) => isCustom).sort((a, b) => byPreference(a.version, b.version)),
];

/** All group versions with their resources; groups are in the order of their first resource. */
const groupVersionsOf = (definitions: readonly ResourceDefinition[]): GroupVersion[] => {
  const found = new Map<string, GroupVersion>();
  const add = (of: Omit<GroupVersion, 'resources'>, resources: ApiResource[]): void => {
    const name = `${of.group}/${of.version}`;
    const entry = found.get(name) ?? { ...of, resources: [] };
    entry.resources.push(...resources);
    entry.isCustom &&= of.isCustom;
    found.set(name, entry);
  };
  for (const definition of definitions) {
    const { group, version, builtIn, custom } = definition;
    add({ group, version, builtIn, isCustom: custom !== undefined }, resourcesOf(definition));
  }
  for (const { group, version, plural, singular, kind, namespaced } of REVIEWS) {
    const resource = { name: plural, singularName: singular, namespaced, kind, verbs: ['create'] };
    add({ group, version, builtIn: true, isCustom: false }, [resource]);
  }
  return [...Map.groupBy(found.values(), ({ group }) => group).values()].flatMap(inOrder);
};

/** Answers /api, /apis and the documents directly below them, by the decoded path; undefined for other paths. */
export const createDiscovery = (definitions: readonly ResourceDefinition[]) => {
  const all = groupVersionsOf(definitions);
  const core = all.filter(({ group }) => group === '');
  const named = all.filter(({ group }) => group !== '');
  return (request: Request, asked: string): Response | undefined => {
    const { host } = new URL(request.url);
    const [root, ...path] = segmentsOf(asked);
    // Upstream accepts one slash at the end of the index, and any number at the end of the others.
    if ((root !== 'api' && root !== 'apis') || asked.startsWith('//') || asked === '/apis//') return undefined;
    refuseHead(request, root, path, named);
    const offered = root === 'api' ? core : named;
    const aggregated = path.length === 0 ? respondAggregated(offered, request.headers) : undefined;
    if (aggregated) return aggregated;
    const found = root === 'api' ? discoverCore(core, path, host) : discoverNamed(named, path);
    if (!found) return undefined;
    const { format } = negotiate(request.headers.get('accept'), found);
    return respond(found.document, { format });
  };
};

/**
 * As in upstream, documents about built-in kinds are only served for GET; indexes and everything else are also served
 * for HEAD.
 */
const refuseHead = ({ method }: Request, root: string, path: string[], offered: readonly GroupVersion[]): void => {
  if (method !== 'HEAD' || path.length > 2) return;
  const [group, version] = path;
  const isBuiltIn = offered.some((known) => known.group === group && known.version === version && known.builtIn);
  if (root === 'api' ? path.length < 2 : isBuiltIn) throw methodNotAllowed();
};

/** A document of discovery, and whether it is about upstream's own kinds. */
interface Found {
  document: JsonObject;
  builtIn: boolean;
}

const discoverCore = (offered: readonly GroupVersion[], path: string[], host: string): Found | undefined => {
  if (path.length === 0) return { document: apiVersions(offered, host), builtIn: true };
  return path.length === 1 ? describeVersion(offered.find(({ version }) => version === path[0])) : undefined;
};

const discoverNamed = (offered: readonly GroupVersion[], path: string[]): Found | undefined => {
  const [name, wanted] = path;
  if (name === undefined) return { document: groupList(offered), builtIn: true };
  const ofGroup = offered.filter(({ group }) => group === name);
  const [group] = groupsOf(ofGroup);
  const builtIn = ofGroup.some((entry) => entry.builtIn);
  if (wanted === undefined) return group && { document: { kind: 'APIGroup', apiVersion: 'v1', ...group }, builtIn };
  return path.length === 2 ? describeVersion(ofGroup.find(({ version }) => version === wanted)) : undefined;
};

const describeVersion = (entry: GroupVersion | undefined): Found | undefined =>
  entry && { document: resourceList(entry), builtIn: entry.builtIn };

const groupVersionName = ({ group, version }: GroupVersion): string => (group === '' ? version : `${group}/${version}`);

const apiVersions = (offered: readonly GroupVersion[], host: string): JsonObject => ({
  kind: 'APIVersions',
  versions: offered.map(({ version }) => version),
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
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
  // The core group is older than the field.
  ...(entry.group === '' ? {} : { apiVersion: 'v1' }),
  groupVersion: groupVersionName(entry),
  resources: entry.resources,
});
