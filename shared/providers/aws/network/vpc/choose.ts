import { type ClusterName, INTENT_TAG, isOwnedBy, namesAnother, type Tags } from '../../tags.ts';
import type { DesiredNetwork } from '../model.ts';
import type { ObservedVpc } from './model.ts';

/** The result of the search for the cluster's VPC. */
export type VpcChoice =
  | { state: 'absent' }
  /** spec.network.vpc.id names a VPC that does not exist or is not visible. */
  | { state: 'missing'; id: string }
  /** spec.network.vpc.id names a VPC that is not the cluster's: it is the user's own. */
  | { state: 'unmanaged'; vpc: ObservedVpc }
  | { state: 'ours'; vpc: ObservedVpc; duplicates: readonly ObservedVpc[] };

/** Whether a VPC belongs to the cluster, by its tags or, if they name no other owner, by the record. */
export const isOwnVpc = (cluster: ClusterName, { tags, isOnRecord }: Pick<ObservedVpc, 'tags' | 'isOnRecord'>) =>
  isOwnedBy(cluster, tags) || (isOnRecord === true && !namesAnother(cluster, tags));

/** Oldest intent first. A resource without an intent was created by upstream, before all of ours. */
export const byAge = (left: { id: string; tags: Tags }, right: { id: string; tags: Tags }): number => {
  const key = ({ id, tags }: { id: string; tags: Tags }) => `${tags[INTENT_TAG] ?? ''} ${id}`;
  return key(left) < key(right) ? -1 : 1;
};

/**
 * The VPC of the cluster: the one that the AWSCluster names, or else the oldest with the cluster's tags. Others of ours
 * are duplicates that were created by two concurrent runs; they count as duplicates once one of them is recorded.
 */
export const chooseVpc = (
  { cluster, vpc: { recordedId } }: DesiredNetwork,
  vpcs: readonly ObservedVpc[],
): VpcChoice => {
  const owned = vpcs.filter((vpc) => isOwnVpc(cluster, vpc)).sort(byAge);
  if (recordedId === undefined) {
    const [oldest] = owned;
    return oldest ? { state: 'ours', vpc: oldest, duplicates: [] } : { state: 'absent' };
  }
  const recorded = vpcs.find(({ id }) => id === recordedId);
  if (!recorded) return { state: 'missing', id: recordedId };
  if (!owned.includes(recorded)) return { state: 'unmanaged', vpc: recorded };
  const duplicates = owned.filter((vpc) => vpc !== recorded && vpc.tags[INTENT_TAG] !== undefined);
  return { state: 'ours', vpc: recorded, duplicates };
};
