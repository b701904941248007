/**
 * Names and values of the tags that show the owner of a resource. They are upstream's, so that clusters can be moved
 * (reference: CAPA v1beta2 tags).
 */

export type Tags = Readonly<Record<string, string>>;

/** The Cluster to which resources belong. A name alone is ambiguous, because it is only unique in a namespace. */
export interface ClusterName {
  namespace: string;
  name: string;
}

export const OWNERSHIP_TAG_PREFIX = 'sigs.k8s.io/cluster-api-provider-aws/cluster/';
export const ROLE_TAG = 'sigs.k8s.io/cluster-api-provider-aws/role';

/**
 * `<namespace>/<name>` of the Cluster: distinguishes clusters with the same name in two namespaces, which upstream's
 * tags do not.
 */
export const OWNER_TAG = 'windlass.dev/cluster';

/** The value of OWNER_TAG. */
export const ownerOf = ({ namespace, name }: ClusterName): string => `${namespace}/${name}`;

/**
 * The token of the intent for which a resource was created. It starts with the time, so that the smallest is the
 * oldest.
 */
export const INTENT_TAG = 'windlass.dev/intent';

/** On groups, launch templates and instances of pools: `<namespace>/<name>` of the AWSMachinePool. */
export const POOL_TAG = 'windlass.dev/machine-pool';

export const ownershipTag = (cluster: string): string => `${OWNERSHIP_TAG_PREFIX}${cluster}`;

/** The cloud provider's tag; `owned` lets the cluster's own controllers use and delete the resource. */
export const cloudProviderTag = (cluster: string): string => `kubernetes.io/cluster/${cluster}`;

/** A tag of the AWS Load Balancer Controller: the name of its cluster. */
export const CONTROLLER_TAG = 'elbv2.k8s.aws/cluster';

/** Whether Windlass, or controllers in another cluster, would treat a resource with this tag as that cluster's. */
const namesAnotherCluster = ({ name }: ClusterName, key: string, value: string): boolean =>
  key.startsWith('windlass.dev/') ||
  (key.startsWith(OWNERSHIP_TAG_PREFIX) && key !== ownershipTag(name)) ||
  (key.startsWith(cloudProviderTag('')) && key !== cloudProviderTag(name) && value === 'owned') ||
  (key === CONTROLLER_TAG && value !== name);

/**
 * The tags of a user, without those that make a resource another cluster's. They are dropped here and not refused,
 * because templates do not know their cluster, and objects with such tags exist.
 */
export const usersTags = (cluster: ClusterName, tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([key, value]) => !namesAnotherCluster(cluster, key, value)));

interface TagParams {
  cluster: ClusterName;
  /** Omitted if the resource has no Name tag. */
  name?: string;
  role: string;
  /** The user's tags. They may replace the Name, but nothing else. */
  additional?: Tags;
  /** Resource-specific tags, such as kubernetes.io/role/elb. */
  extra?: Tags;
  cloudProvider?: 'owned' | 'shared';
}

/** All tags of a resource, in upstream's order: Name, the user's, ownership, role, and then resource-specific ones. */
export const buildTags = ({ cluster, name, role, additional = {}, extra, cloudProvider }: TagParams): Tags => ({
  ...(name === undefined ? {} : { Name: name }),
  ...usersTags(cluster, additional),
  [ownershipTag(cluster.name)]: 'owned',
  [ROLE_TAG]: role,
  ...extra,
  ...(cloudProvider ? { [cloudProviderTag(cluster.name)]: cloudProvider } : {}),
  [OWNER_TAG]: ownerOf(cluster),
});

/**
 * True if the tags contain the cluster as owner. A resource that upstream has created has no OWNER_TAG, so its
 * ownership tag is used.
 */
export const isOwnedBy = (cluster: ClusterName, tags: Tags): boolean =>
  tags[ownershipTag(cluster.name)] === 'owned' && (tags[OWNER_TAG] ?? ownerOf(cluster)) === ownerOf(cluster);

/** True if the tags contain another cluster as owner; false if they contain none. */
export const namesAnother = ({ namespace, name }: ClusterName, tags: Tags): boolean => {
  const owner = tags[OWNER_TAG];
  if (owner !== undefined) return owner !== `${namespace}/${name}`;
  return Object.keys(tags).some((key) => key.startsWith(OWNERSHIP_TAG_PREFIX) && key !== ownershipTag(name));
};

/** The tags of `desired` that `observed` lacks or has with another value. */
export const missingTags = (desired: Tags, observed: Tags): Tags =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => observed[key] !== value));

/** Converts to the SDK's list form. */
export const toTagList = (tags: Tags): { Key: string; Value: string }[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

/** Converts from the SDK's list form. A tag without a value gets the empty one. */
export const fromTagList = (list: readonly { Key?: string; Value?: string }[] = []): Tags =>
  Object.fromEntries(list.flatMap(({ Key, Value }) => (Key === undefined ? [] : [[Key, Value ?? '']])));
