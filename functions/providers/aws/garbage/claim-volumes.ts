import { isDenied } from '../../../../shared/aws/errors.ts';
import type { Ec2VolumeClaims } from '../../../../shared/providers/aws/api/ec2-volumes.ts';
import {
  describeVolumes,
  driverFilters,
  type FoundVolume,
  unclaimedVolumes,
} from '../../../../shared/providers/aws/plan/garbage/volumes.ts';
import { type ClusterName, ownerOf } from '../../../../shared/providers/aws/tags.ts';

/** EC2 tags 1000 resources in a call; most instances have fewer than 28 volumes. */
const INSTANCES_AT_ONCE = 35;

/**
 * Without the permission, which the roles of earlier versions do not have, the volumes are not tagged, and are kept.
 */
const unlessDenied = async (call: Promise<void>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (isDenied(error)) return false;
    throw error;
  }
};

/**
 * Tags the volumes of the EBS CSI driver that are attached to a cluster's instances as the cluster's own, before the
 * instances are terminated: afterwards, nothing in EC2 shows to which cluster they belong. The caller has verified that
 * the instances belong to the cluster. Returns a message if there were any volumes.
 */
export const claimVolumes = async (
  ec2: Ec2VolumeClaims,
  cluster: ClusterName,
  instanceIds: readonly string[],
): Promise<string | undefined> => {
  const claimed: FoundVolume[] = [];
  for (let index = 0; index < instanceIds.length; index += INSTANCES_AT_ONCE) {
    const values = instanceIds.slice(index, index + INSTANCES_AT_ONCE);
    const attached = [{ name: 'attachment.instance-id', values }, ...driverFilters(cluster)];
    const volumes = unclaimedVolumes(cluster, await ec2.describeVolumes(attached));
    const ids = volumes.map(({ id }) => id);
    if (ids.length > 0 && (await unlessDenied(ec2.claimVolumes(ids, ownerOf(cluster))))) claimed.push(...volumes);
  }
  return claimed.length === 0
    ? undefined
    : `Tagged as volumes of the cluster, because they are attached to its machines: ${describeVolumes(claimed)}`;
};
