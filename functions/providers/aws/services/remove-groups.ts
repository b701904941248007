import { describeAwsError, isDependencyViolation, isNotFound } from '../../../../shared/aws/errors.ts';
import { isOfService } from '../../../../shared/providers/aws/services/service-tags.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { ServiceCalls } from './dependencies.ts';
import type { Settled } from './settle-services.ts';

/** The reason why a group still exists. */
export interface GroupLeft {
  readonly message: string;
  /** Whether AWS has yet to release the interfaces of the load balancer. */
  readonly isWaiting: boolean;
}

/** The group of a load balancer that was deleted, or that now has other groups. */
const unneededGroup = (cluster: ClusterName, { job, observed, failure }: Settled): string | undefined => {
  const { service, desired } = job;
  const { ownGroup, classic } = observed;
  if (!ownGroup || failure || !isOfService(cluster, service, ownGroup.tags)) return undefined;
  const isNeeded = desired?.type === 'classic' && desired.groupIds === undefined;
  return isNeeded || classic?.groupIds.includes(ownGroup.id) ? undefined : ownGroup.id;
};

const remove = async ({ network }: ServiceCalls, groupId: string): Promise<GroupLeft | undefined> => {
  try {
    await network.deleteSecurityGroup(groupId);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    const isWaiting = isDependencyViolation(error);
    return { message: `security group ${groupId}: ${describeAwsError(error)}`, isWaiting };
  }
};

/**
 * Deletes security groups that belonged to load balancers of Services and are not needed any more, once no rule refers
 * to them. Returns the remaining groups by the uids of the Services.
 */
export const removeGroups = async (
  calls: ServiceCalls,
  cluster: ClusterName,
  settled: readonly Settled[],
): Promise<ReadonlyMap<string, GroupLeft>> => {
  const left = new Map<string, GroupLeft>();
  for (const one of settled) {
    const groupId = unneededGroup(cluster, one);
    const reason = groupId === undefined ? undefined : await remove(calls, groupId);
    if (reason) left.set(one.job.service.uid, reason);
  }
  return left;
};
