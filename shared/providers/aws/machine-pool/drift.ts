import { isDeepStrictEqual } from 'node:util';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import type { ClusterName } from '../tags.ts';
import { missingTags } from '../tags.ts';
import { desiredGroup } from './desired-group.ts';
import { poolTags } from './desired-template.ts';
import { groupDifferences } from './differences.ts';
import { presentInstances, providerIdOf } from './instances.ts';
import type { ObservedGroup, ObservedTemplate } from './model.ts';
import { recordedTemplate } from './record.ts';

/** A pool with what a listing shows of it; undefined where it shows nothing under the pool's name. */
export interface ListedPool {
  cluster: ClusterName;
  pool: MachinePool;
  awsPool: AWSMachinePool;
  awsCluster: AWSCluster;
  group: ObservedGroup | undefined;
  template: ObservedTemplate | undefined;
}

const instancesDiffer = ({ spec }: AWSMachinePool, group: ObservedGroup): boolean => {
  const known = [...(spec?.providerIDList ?? [])].sort();
  return !isDeepStrictEqual(presentInstances(group).map(providerIdOf).sort(), known);
};

/** What of a pool others have changed, as far as a listing shows it: in a few words each. */
export const poolDifferences = ({ cluster, pool, awsPool, awsCluster, group, template }: ListedPool): string[] => {
  const recorded = recordedTemplate(awsPool);
  if (!recorded) return [];
  const isOther = template?.id !== recorded.id || template.latestVersion !== recorded.version;
  const templates = isOther ? ['launch template'] : [];
  if (!group) return [...templates, 'group'];
  const tags = poolTags(cluster, awsPool, awsCluster);
  // A listing shows neither the subnets that filters find nor the hooks.
  const wanted = desiredGroup(pool, awsPool, { subnetIds: group.subnetIds, tags });
  return [
    ...templates,
    ...groupDifferences(wanted, group, recorded.id),
    ...(Object.keys(missingTags(tags, group.tags)).length > 0 ? ['tags'] : []),
    ...(isDeepStrictEqual([...group.suspended].sort(), [...wanted.suspended].sort()) ? [] : ['suspended processes']),
    ...(instancesDiffer(awsPool, group) ? ['instances'] : []),
  ];
};
