import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { NetworkAction } from '../../network/model.ts';
import { OWNER_TAG, OWNERSHIP_TAG_PREFIX } from '../../tags.ts';
import { digestOf, hasSettledAs } from './settled.ts';

/**
 * A VPC belongs to the cluster by a tag, which can be removed. Upstream treats it as the user's from then on, so some
 * users remove the tag to keep a VPC. That it was ours is recorded, so the loss is detected and a policy determines
 * what it means.
 */

const wishOf = (vpcId: string | undefined) => ({ own: vpcId ?? '' });

/** What is on record of a VPC that is the cluster's. */
export const ownVpcDigest = (vpcId: string | undefined): string => digestOf(wishOf(vpcId));

/** Whether the VPC that the AWSCluster names was the cluster's when the network was last complete. */
export const isVpcOnRecord = (awsCluster: AWSCluster): boolean => {
  const id = awsCluster.spec.network?.vpc?.id;
  return id !== undefined && hasSettledAs(awsCluster, 'vpc', wishOf(id));
};

/** Whether a recorded VPC is deleted with the cluster without its tag: only if the tag would have been restored. */
export const isVpcDeletable = ({ cluster, awsCluster }: { cluster: Cluster; awsCluster?: AWSCluster | null }) =>
  driftPoliciesOf(cluster).VpcOwnership === 'Repair' && awsCluster != null && isVpcOnRecord(awsCluster);

const SAYS_WHOSE = (key: string) => key === OWNER_TAG || key.startsWith(OWNERSHIP_TAG_PREFIX);

/** Whether an action gives the VPC back its ownership tags. */
export const givesOwnership = (action: NetworkAction): boolean =>
  action.type === 'CreateTags' && action.kind === 'vpc' && Object.keys(action.tags).some(SAYS_WHOSE);
