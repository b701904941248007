/**
 * The owner of an EC2 instance. The id of an instance in an object proves nothing: a user who can write the object can
 * name any instance of the account. EC2's data about the instance itself decide before anything is done to it.
 */

import type { Machine } from '../../../../kinds/index.ts';
import {
  type ClusterName,
  OWNER_TAG,
  OWNERSHIP_TAG_PREFIX,
  ownershipTag,
  POOL_TAG,
  ROLE_TAG,
  type Tags,
} from '../../tags.ts';
import { MACHINE_NAME_TAG, MACHINE_UID_TAG } from '../launch/request.ts';

/**
 * - `ours`: created for this Machine.
 * - `moved`: created for a Machine with this namespace, cluster and name that has another uid: the objects were moved
 *   or adopted from another installation or from Cluster API's AWS provider. Names of Machines are unique in a
 *   namespace, so no other Machine of this installation can have the uid in the tag. The current uid may be set in the
 *   tag.
 * - `foreign`: created for something else.
 * - `unclaimed`: nothing identifies its owner.
 *
 * `ours` and `moved` may be changed and deleted for the Machine; the other two must not be touched.
 */
export type Ownership = 'ours' | 'moved' | 'foreign' | 'unclaimed';

/** The Machine for which something is done. */
export interface MachineIdentity {
  cluster: ClusterName;
  /** `metadata.name` of the Machine. */
  machine: string;
  machineUid: string;
  /** A MachinePool controls the Machine: the pool's group has launched its instance, for no particular Machine. */
  isOfPool?: boolean;
}

/** EC2's data about the owner of an instance. */
export interface InstanceMarks {
  tags: Tags;
  /** The token of the RunInstances call. It cannot be changed afterwards; ours starts with the uid of the Machine. */
  clientToken?: string | undefined;
}

const SAYS_WHOSE = (key: string): boolean =>
  [OWNER_TAG, MACHINE_UID_TAG, MACHINE_NAME_TAG, ROLE_TAG].includes(key) || key.startsWith(OWNERSHIP_TAG_PREFIX);

/** The token of the first launch is the uid; that of a later one is the uid with a number. See launchRequest. */
const isLaunchOf = (uid: string, token: string | undefined): boolean =>
  uid !== '' && (token === uid || token?.startsWith(`${uid}-`) === true);

/**
 * Decided by OWNER_TAG, or else by upstream's tag, which only contains the cluster's name; `undefined` if there is
 * neither tag.
 */
const isOfCluster = ({ namespace, name }: ClusterName, tags: Tags): boolean | undefined => {
  const owner = tags[OWNER_TAG];
  if (owner !== undefined) return owner === `${namespace}/${name}`;
  if (tags[ownershipTag(name)] === 'owned') return true;
  return Object.keys(tags).some((key) => key.startsWith(OWNERSHIP_TAG_PREFIX)) ? false : undefined;
};

/** Auto Scaling's own tag, which only Auto Scaling can set. */
export const GROUP_TAG = 'aws:autoscaling:groupName';

/** Upstream's tag on instances of a pool: the Secret with their bootstrap data, `<namespace>/<name>`. */
const SECRET_TAG = 'sigs.k8s.io/cluster-api-provider-aws/bootstrap-data-secret';

/**
 * Whether the group of a pool in the cluster's namespace has launched an instance, whichever provider has created the
 * group.
 */
const isOfPool = ({ namespace }: ClusterName, tags: Tags): boolean =>
  tags[GROUP_TAG] !== undefined && (tags[POOL_TAG] ?? tags[SECRET_TAG])?.startsWith(`${namespace}/`) === true;

/**
 * The owner of an instance, from the perspective of one Machine. Upstream's tags contain the cluster without its
 * namespace, so they only count together with MachineName, which has the namespace: clusters with the same name in two
 * namespaces cannot claim each other's machines. An instance whose tags were removed is still identified by its client
 * token.
 */
export const ownershipOf = ({ tags, clientToken }: InstanceMarks, me: MachineIdentity): Ownership => {
  if (isLaunchOf(me.machineUid, clientToken)) return 'ours';
  const isClusters = isOfCluster(me.cluster, tags);
  if (isClusters === false) return 'foreign';
  if (me.isOfPool && isClusters && isOfPool(me.cluster, tags)) return 'ours';
  const uid = tags[MACHINE_UID_TAG];
  if (me.machineUid !== '' && uid === me.machineUid) return 'ours';
  const name = tags[MACHINE_NAME_TAG];
  if (isClusters && name === `${me.cluster.namespace}/${me.machine}`) return 'moved';
  return Object.keys(tags).some(SAYS_WHOSE) ? 'foreign' : 'unclaimed';
};

/** The identity with which instances of a Machine are compared. */
export const identityOf = ({ metadata, spec }: Pick<Machine, 'metadata' | 'spec'>): MachineIdentity => ({
  cluster: { namespace: metadata.namespace ?? '', name: spec.clusterName },
  machine: metadata.name,
  machineUid: metadata.uid ?? '',
  ...(isControlledByPool(metadata.ownerReferences) ? { isOfPool: true } : {}),
});

const isControlledByPool = (owners: Machine['metadata']['ownerReferences'] = []): boolean =>
  owners.some((owner) => owner.controller === true && owner.kind === 'MachinePool');

/** Whether an instance may be changed and deleted for a Machine. */
export const isMachines = (marks: InstanceMarks, me: MachineIdentity): boolean =>
  ['ours', 'moved'].includes(ownershipOf(marks, me));

/**
 * Whether an instance belongs to any machine of the cluster, according to its tags. Upstream's tag only counts together
 * with a MachineName in the cluster's namespace.
 */
export const isClustersInstance = (cluster: ClusterName, tags: Tags): boolean =>
  isOfCluster(cluster, tags) === true &&
  (tags[OWNER_TAG] !== undefined || tags[MACHINE_NAME_TAG]?.startsWith(`${cluster.namespace}/`) === true);

/** Why an instance is not touched. The message does not reveal the owner, which tenants must not learn. */
export const notOwnedMessage = (instanceId: string, { cluster, machine }: MachineIdentity): string =>
  `spec.instanceID: instance ${instanceId} is left alone, because its tags do not show that it belongs to Machine ${machine} of cluster ${cluster.namespace}/${cluster.name}`;
