/**
 * Who owns an EC2 instance. The id of an instance in an object proves nothing: a user who can write the object can name
 * any instance of the account. EC2's data about the instance itself decides, before anything is done to it.
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
 * - `ours`: made for this very Machine.
 * - `moved`: made for a Machine of this namespace, cluster and name that has another uid: the objects were moved or
 *   adopted, from another installation or from Cluster API's AWS provider. Names of Machines are unique in a namespace,
 *   so that no other Machine of this installation can have the uid on the tag. It may be retagged with the uid of today.
 * - `foreign`: made for something else.
 * - `unclaimed`: nothing identifies its owner.
 *
 * `ours` and `moved` may be changed and deleted for the Machine, the other two must not be touched.
 */
export type Ownership = 'ours' | 'moved' | 'foreign' | 'unclaimed';

/** The Machine that something is done for. */
export interface MachineIdentity {
  cluster: ClusterName;
  /** `metadata.name` of the Machine. */
  machine: string;
  machineUid: string;
  /** The Machine is controlled by a MachinePool: its instance was launched by the pool's group, for no Machine by name. */
  isOfPool?: boolean;
}

/** The facts about an instance from EC2. */
export interface InstanceMarks {
  tags: Tags;
  /** Of the RunInstances call. It cannot be changed afterwards; ours starts with the uid of the Machine. */
  clientToken?: string | undefined;
}

const SAYS_WHOSE = (key: string): boolean =>
  [OWNER_TAG, MACHINE_UID_TAG, MACHINE_NAME_TAG, ROLE_TAG].includes(key) || key.startsWith(OWNERSHIP_TAG_PREFIX);

/** The token of the first launch is the uid, that of a later one the uid with a number; see launchRequest. */
const isLaunchOf = (uid: string, token: string | undefined): boolean =>
  uid !== '' && (token === uid || token?.startsWith(`${uid}-`) === true);

/** By OWNER_TAG, else by upstream's tag, which has only the cluster's name; `undefined`: there is neither tag. */
const isOfCluster = ({ namespace, name }: ClusterName, tags: Tags): boolean | undefined => {
  const owner = tags[OWNER_TAG];
  if (owner !== undefined) return owner === `${namespace}/${name}`;
  if (tags[ownershipTag(name)] === 'owned') return true;
  return Object.keys(tags).some((key) => key.startsWith(OWNERSHIP_TAG_PREFIX)) ? false : undefined;
};

/** Auto Scaling's own tag, which only it can set. */
export const GROUP_TAG = 'aws:autoscaling:groupName';

/** Upstream's, on instances of a pool: the Secret with their bootstrap data, `<namespace>/<name>`. */
const SECRET_TAG = 'sigs.k8s.io/cluster-api-provider-aws/bootstrap-data-secret';

/** Whether an instance was launched by the group of a pool in the cluster's namespace, created by either provider. */
const isOfPool = ({ namespace }: ClusterName, tags: Tags): boolean =>
  tags[GROUP_TAG] !== undefined && (tags[POOL_TAG] ?? tags[SECRET_TAG])?.startsWith(`${namespace}/`) === true;

/**
 * Who owns an instance, for one Machine. Upstream's tags name the cluster without its namespace, so they count only
 * together with MachineName, which has the namespace: clusters with the same name in two namespaces cannot claim each
 * other's machines. An instance whose tags were removed is still identified by its client token.
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

/** The identity by which instances of a Machine are known. */
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
 * Whether an instance belongs to any machine of the cluster, by its tags. Upstream's tag counts only together with a
 * MachineName in the cluster's namespace.
 */
export const isClustersInstance = (cluster: ClusterName, tags: Tags): boolean =>
  isOfCluster(cluster, tags) === true &&
  (tags[OWNER_TAG] !== undefined || tags[MACHINE_NAME_TAG]?.startsWith(`${cluster.namespace}/`) === true);

/** Why an instance is not touched. It does not reveal the owner: tenants must not learn it. */
export const notOwnedMessage = (instanceId: string, { cluster, machine }: MachineIdentity): string =>
  `spec.instanceID: instance ${instanceId} is left alone, because its tags do not show that it belongs to Machine ${machine} of cluster ${cluster.namespace}/${cluster.name}`;
