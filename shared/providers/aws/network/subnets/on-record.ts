import type { AWSCluster, SubnetSpec } from '../../../../kinds/index.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';

/**
 * Whether a subnet is recorded with its id in EC2. Before that, its own id may be the user's name, and it is unknown
 * whether it is public or has IPv6. If a manifest is applied again, the record is missing until the next pass. Other
 * systems that manage an infrastructure need not write it.
 */
export const isOnRecord = (
  { resourceID }: Pick<SubnetSpec, 'resourceID'>,
  awsCluster: Pick<AWSCluster, 'metadata'>,
): boolean => resourceID !== undefined || isExternallyManaged(awsCluster);

/** Whether all subnets of a cluster are recorded. */
export const areOnRecord = (awsCluster: AWSCluster): boolean =>
  (awsCluster.spec.network?.subnets ?? []).every((subnet) => isOnRecord(subnet, awsCluster));
