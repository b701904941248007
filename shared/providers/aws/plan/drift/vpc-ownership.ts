import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { NetworkAction } from '../../network/model.ts';
import { OWNER_TAG, OWNERSHIP_TAG_PREFIX } from '../../tags.ts';
import { digestOf, hasSettledAs } from './settled.ts';

/**
 * A VPC belongs to the cluster because of a tag, which can be removed. Upstream treats it as the user's from then on,
 * so some users remove the tag in order to keep a VPC. It is recorded that the VPC was the cluster's, so the loss is
 * detected, and a policy determines what it means.
 */

const wishOf = (vpcId: string | undefined) => ({ own: vpcId ?? '' });

/** The record of the cluster's own VPC. */
export const ownVpcDigest = (vpcId: string | undefined): string => digestOf(wishOf(vpcId));

/** Whether the VPC in the AWSCluster was the cluster's own when the network was last complete. */
export const isVpcOnRecord = (awsCluster: AWSCluster): boolean => {
  const id = awsCluster.spec.network?.vpc?.id;
  return id !== undefined && hasSettledAs(awsCluster, 'vpc', wishOf(id));
};

/** Whether a recorded VPC without its tag is deleted with the cluster: only if the tag would have been restored. */
export const isVpcDeletable = ({ cluster, awsCluster }: { cluster: Cluster; awsCluster?: AWSCluster | null }) =>
  driftPoliciesOf(cluster).VpcOwnership === 'Repair' && awsCluster != null && isVpcOnRecord(awsCluster);

const SAYS_WHOSE = (key: string) => key === OWNER_TAG || key.startsWith(OWNERSHIP_TAG_PREFIX);

/** Whether an action restores the VPC's ownership tags. */
export const givesOwnership = (action: NetworkAction): boolean =>
  action.type === 'CreateTags' && action.kind === 'vpc' && Object.keys(action.tags).some(SAYS_WHOSE);
