import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';

/**
 * A subnet is on record with its id in EC2. Before that its own id may be a name of the user's, and nothing says whether
 * it is public, or has IPv6; a manifest that is applied again takes the record away until the next pass. Other systems
 * that manage an infrastructure need not write it.
 */
export const isOnRecord = (
  { resourceID }: Pick<SubnetSpec, 'resourceID'>,
  awsCluster: Pick<AWSCluster, 'metadata'>,
): boolean => resourceID !== undefined || isExternallyManaged(awsCluster);

/** Whether all subnets of a cluster are. */
export const areOnRecord = (awsCluster: AWSCluster): boolean =>
  (awsCluster.spec.network?.subnets ?? []).every((subnet) => isOnRecord(subnet, awsCluster));
