import type { AWSCluster, AWSMachinePool } from '../../../kinds/index.ts';
import { isEdgeZone } from '../network/subnets/kinds.ts';

/** Why the instances of a pool cannot have Nitro Enclaves; undefined if they can, or if the pool does not use them. */
export const enclaveProblem = (
  { spec }: AWSMachinePool,
  awsCluster: AWSCluster,
  subnetIds: readonly string[],
): string | undefined => {
  if (!spec?.awsLaunchTemplate.enclaveOptions?.enabled) return undefined;
  const found = awsCluster.spec.network?.subnets?.find(
    ({ id = '', resourceID = id, zoneType }) => isEdgeZone(zoneType) && subnetIds.includes(resourceID),
  );
  return (
    found &&
    `spec.awsLaunchTemplate.enclaveOptions: EC2 has no Nitro Enclaves in ${found.availabilityZone}, a ${found.zoneType}; use subnets of other zones`
  );
};
