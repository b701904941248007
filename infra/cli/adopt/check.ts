/** What has to be done with each object of a plan, found by dry runs. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, OwnerReference } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError } from '../api/client.ts';
import { collectionPath, find, type makeFindResource, type Resource } from '../api/resources.ts';
import { contentOf } from '../apply/apply.ts';
import type { Owned } from './machines.ts';

/** An object to write, with its owner; only the Cluster and cluster-scoped objects have none. */
export interface Entry {
  object: KubeObject;
  owner?: Owned['owner'];
}

/** An object with what has to be done so that it is there. */
export interface Step extends Entry {
  resource: Resource;
  /** The stored object, which stays unless `isChanged`. */
  current?: KubeObject;
  isChanged: boolean;
}

export const keyOf = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'>): string => `${kind}/${metadata.name}`;

/** The uid of an owner that exists only in the plan. */
const UNKNOWN_UID = '00000000-0000-0000-0000-000000000000';

const referenceTo = (owner: KubeObject, controls: boolean): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? UNKNOWN_UID,
  ...(controls ? { controller: true, blockOwnerDeletion: true } : {}),
});

/** The object with a reference to its owner. `made`: the objects before it, as they are stored if they are. */
export const owned = ({ object, owner }: Entry, made: ReadonlyMap<string, KubeObject>): KubeObject => {
  if (!owner) return object;
  const found = made.get(`${owner.kind}/${owner.name}`);
  if (!found) throw new Error(`${keyOf(object)} belongs to ${owner.kind}/${owner.name}, which is not there`);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [referenceTo(found, owner.controls)] } };
};

/**
 * Creates an object, or changes the stored one. What a template leaves out has a meaning, so it is replaced. Other
 * objects keep what only the stored one says, such as the id of the VPC, which cannot be removed any more.
 */
export const write = (
  api: Api,
  { resource, current }: Pick<Step, 'resource' | 'current'>,
  object: KubeObject,
  { dryRun = false } = {},
): Promise<KubeObject> => {
  const options = dryRun ? '?dryRun=All' : '';
  const collection = collectionPath(resource, object.metadata.namespace ?? '');
  if (!current) return api.send('POST', `${collection}${options}`, object);
  const path = `${collection}/${object.metadata.name}${options}`;
  if (!object.kind.endsWith('Template')) return api.send('PATCH', path, object, 'application/merge-patch+json');
  const { resourceVersion = '' } = current.metadata;
  return api.send('PUT', path, { ...object, metadata: { ...object.metadata, resourceVersion } });
};

/** Whether a stored object was written by this adoption. */
const isOurs = ({ metadata }: KubeObject, { owner }: Entry, { isResumed, made }: Known): boolean => {
  const uids = new Set([...made.values()].map((one) => one.metadata.uid));
  return isResumed && owner !== undefined && (metadata.ownerReferences ?? []).every(({ uid }) => uids.has(uid));
};

const howToDelete = ({ plural, group }: Resource, { metadata }: KubeObject): string => {
  const { name, namespace, finalizers = [] } = metadata;
  const kind = group === '' ? plural : `${plural}.${group}`;
  return [
    `kubectl delete ${kind} ${name}${namespace === undefined ? '' : ` -n ${namespace}`} --cascade=orphan`,
    ...(finalizers.length > 0 ? ['remove its finalizers'] : []),
    'run the command again',
  ].join(', then ');
};

/** What is known when an object is checked. */
export interface Known {
  /** The objects before it, as they are stored if they are. */
  made: ReadonlyMap<string, KubeObject>;
  /** Whether an earlier run was interrupted. */
  isResumed: boolean;
  /** Keys of objects that contain only what was observed: they never replace a stored one. */
  derived: ReadonlySet<string>;
}

const OTHER_CONTENTS =
  'it exists with other contents, and not as part of this adoption: change it, or leave it out of the manifests';

/** Compares an object with the stored one. A stored object that is not part of this adoption is never changed. */
const compare = async (api: Api, entry: Entry, stored: Stored, known: Known): Promise<Step | string> => {
  const { resource, current } = stored;
  const isCluster = entry.object.kind === 'Cluster' && entry.owner === undefined;
  const mayChange = isCluster || isOurs(current, entry, known);
  const { ownerReferences } = current.metadata;
  const wanted = mayChange
    ? owned(entry, known.made)
    : { ...entry.object, metadata: { ...entry.object.metadata, ...(ownerReferences ? { ownerReferences } : {}) } };
  try {
    const answer = await write(api, stored, wanted, { dryRun: true });
    const isChanged = !isDeepStrictEqual(contentOf(answer), contentOf(current));
    return isChanged && !mayChange ? OTHER_CONTENTS : { ...entry, ...stored, isChanged };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return mayChange
      ? `${error.message}; the one of an earlier run cannot become the given one: ${howToDelete(resource, current)}`
      : `${OTHER_CONTENTS} (${error.message})`;
  }
};

type Stored = Required<Pick<Step, 'resource' | 'current'>>;

/** Tries one object, without writing; returns a sentence with the reason if it cannot be written. */
export const check = async (
  api: Api,
  findResource: ReturnType<typeof makeFindResource>,
  entry: Entry,
  known: Known,
): Promise<Step | string> => {
  const resource = await findResource(entry.object);
  if (!resource) return `the API does not serve ${entry.object.kind} of ${entry.object.apiVersion}`;
  const { namespace = '', name } = entry.object.metadata;
  const current = await find<KubeObject>(api, `${collectionPath(resource, namespace)}/${name}`);
  if (current?.metadata.deletionTimestamp) return 'it is being deleted: run the command again when it is gone';
  if (current && known.derived.has(keyOf(entry.object))) return { ...entry, resource, current, isChanged: false };
  if (current) return compare(api, entry, { resource, current }, known);
  try {
    await write(api, { resource }, owned(entry, known.made), { dryRun: true });
    return { ...entry, resource, isChanged: false };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
};
