import { kinds } from '../../../../shared/kinds/index.ts';
import { count } from '../../../../shared/plan/words.ts';
import type { DesiredGroup, ObservedGroup } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { freePlaces, lackOf, mayGrow, withAtMost } from '../../../../shared/providers/aws/machine-pool/quota.ts';
import { machinesOfPool } from '../../../cluster/pools.ts';
import type { PoolObjects } from './decide.ts';
import type { PoolDependencies } from './dependencies.ts';
import { poolRecorder } from './reasons.ts';

/** A group, and the reason why it is smaller than its pool requests; undefined if it is not. */
export interface AllowedGroup {
  group: DesiredGroup;
  refused?: string;
}

/**
 * The group, limited by the namespace's quotas for Machines. Its instances exist before their Machines, so a refused
 * Machine would be too late. Reads the quotas only if the group may grow, and the Machines only if there are any
 * quotas.
 */
export const withinQuota = async (
  deps: PoolDependencies,
  { pool, awsPool }: PoolObjects,
  wanted: DesiredGroup,
  current: ObservedGroup | undefined,
): Promise<AllowedGroup> => {
  if (!mayGrow(wanted, current)) return { group: wanted };
  const { namespace = '' } = pool.metadata;
  const places = freePlaces(await deps.objects.list(kinds.resourceQuota, namespace), kinds.machine);
  if (!places) return { group: wanted };
  const machines = await deps.objects.listOfCluster(kinds.machine, namespace, pool.spec.clusterName);
  const group = withAtMost(wanted, current, machinesOfPool(pool, machines).length + places.free);
  const lack = lackOf(wanted, group);
  if (lack === 0) return { group };
  const refused = `The group lacks ${count(lack, 'instance')}: exceeded quota: ${places.quota}; raise the quota or delete unneeded objects`;
  await poolRecorder(deps).warning(awsPool, 'FailedCreate', refused);
  return { group, refused };
};
