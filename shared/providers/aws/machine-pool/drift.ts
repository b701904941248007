import { isDeepStrictEqual } from 'node:util';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { areOnRecord } from '../network/subnets/on-record.ts';
import type { ClusterName } from '../tags.ts';
import { missingTags } from '../tags.ts';
import { desiredGroup, groupSubnets } from './desired-group.ts';
import { poolTags } from './desired-template.ts';
import { groupDifferences, hookDifferences, warmPoolDiffers } from './differences.ts';
import { presentInstances, providerIdOf } from './instances.ts';
import type { DesiredGroup, GroupHook, ObservedGroup, ObservedTemplate } from './model.ts';
import { withAtMost } from './quota.ts';
import { recordedTemplate } from './record.ts';

/** A pool with its entry in a listing; undefined if there is none with the pool's name. */
export interface ListedPool {
  cluster: ClusterName;
  pool: MachinePool;
  awsPool: AWSMachinePool;
  awsCluster: AWSCluster;
  group: ObservedGroup | undefined;
  template: ObservedTemplate | undefined;
  /** The group's lifecycle hooks; undefined if they were not requested. */
  hooks?: readonly GroupHook[] | undefined;
  /** The subnets that the pool names; undefined if filters select them and were not evaluated. */
  named?: readonly string[] | undefined;
}

const instancesDiffer = ({ spec }: AWSMachinePool, group: ObservedGroup): boolean => {
  const known = [...(spec?.providerIDList ?? [])].sort();
  return !isDeepStrictEqual(presentInstances(group).map(providerIdOf).sort(), known);
};

/**
 * The desired subnets of the group. If these are unknown, because filters select them or because the cluster's subnets
 * are not recorded, the current ones: only a pass can compare them then.
 */
const subnetsOf = ({ pool, awsPool, awsCluster, named }: ListedPool, { subnetIds }: ObservedGroup): string[] => {
  const isKnown = named && (named.length > 0 || areOnRecord(awsCluster));
  const wanted = isKnown ? groupSubnets(pool, awsPool, awsCluster, named) : undefined;
  return wanted === undefined || 'problem' in wanted ? [...subnetIds] : wanted;
};

const hooksAreOther = (wanted: DesiredGroup, hooks: ListedPool['hooks']): boolean => {
  const { put, remove } = hookDifferences(wanted.hooks, hooks ?? wanted.hooks);
  return put.length + remove.length > 0;
};

/**
 * Changes by others to a pool, as far as a listing shows them, in a few words each. `places`: the maximum number of
 * instances that a quota allows.
 */
export const poolDifferences = (listed: ListedPool, places = Number.POSITIVE_INFINITY): string[] => {
  const { cluster, pool, awsPool, awsCluster, group, template } = listed;
  const recorded = recordedTemplate(awsPool);
  if (!recorded) return [];
  const isOther = template?.id !== recorded.id || template.latestVersion !== recorded.version;
  const templates = isOther ? ['launch template'] : [];
  if (!group) return [...templates, 'group'];
  const tags = poolTags(cluster, awsPool, awsCluster);
  const unlimited = desiredGroup(pool, awsPool, { subnetIds: subnetsOf(listed, group), tags });
  const wanted = withAtMost(unlimited, group, places);
  return [
    ...templates,
    ...groupDifferences(wanted, group, recorded.id),
    ...(Object.keys(missingTags(tags, group.tags)).length > 0 ? ['tags'] : []),
    ...(isDeepStrictEqual([...group.suspended].sort(), [...wanted.suspended].sort()) ? [] : ['suspended processes']),
    ...(hooksAreOther(wanted, listed.hooks) ? ['lifecycle hooks'] : []),
    ...(warmPoolDiffers(wanted, group) ? ['warm pool'] : []),
    ...(instancesDiffer(awsPool, group) ? ['instances'] : []),
  ];
};
