import type { AWSCluster, AWSMachinePool } from '../../../../kinds/index.ts';
import { areReplicasManaged } from '../../../../plan/pools/digest.ts';
import { count, some } from '../../../../plan/words.ts';
import type { PlacedPool, PoolForecast, PoolPreview } from '../../../infrastructure.ts';
import type { PoolAction } from '../model.ts';
import { groupNameOf } from '../name.ts';
import { actionLines, type PoolStory, replicasLines } from './describe.ts';
import { asAsked, groupNameIn, instancesOf, nothing, playPool } from './paper.ts';
import { type AwsPlacedPool, type PoolWishes, wishesOf } from './wishes.ts';

/** The core only passes pools of this provider. Their clusters may have another provider. */
const placedOf = ({ pool, infrastructure, config, cluster }: PlacedPool): AwsPlacedPool => ({
  ...{ pool, config },
  awsPool: infrastructure as AWSMachinePool,
  awsCluster: cluster as AWSCluster,
});

const NONE = { more: 0, fewer: 0, replaced: 0 };

const blocked = (problem: string): PoolForecast => ({ lines: [`is blocked: ${problem}`], instances: NONE });

/** With the group's actual name, which cannot be derived if the group was taken over. */
const named = (wishes: PoolWishes, awsPool: AWSMachinePool): PoolWishes => {
  const name = groupNameIn(awsPool) ?? wishes.group.name;
  return { ...wishes, group: { ...wishes.group, name }, template: { ...wishes.template, name } };
};

const versionOf = ({ status }: AWSMachinePool): number | undefined =>
  Number(status?.launchTemplateVersion) || undefined;

const creation = ({ pool, awsPool }: AwsPlacedPool, wishes: PoolWishes): PoolForecast => {
  const { actions, end } = playPool(awsPool, wishes, nothing(wishes.group));
  const story: PoolStory = { pool, awsPool, before: undefined, wishes, group: end.group, version: undefined };
  const lines = actions.flatMap((action) => actionLines(story, action));
  return { lines, instances: { ...NONE, more: end.group?.desired ?? 0 } };
};

/**
 * A group that exists before its pool was ever checked comes from another installation, for example after `clusterctl
 * move`.
 */
const adoption = ({ awsPool }: AwsPlacedPool, { group }: PoolWishes): PoolForecast => ({
  lines: [
    `takes over Auto Scaling group ${group.name} and its launch template, with ${count(instancesOf(awsPool).length, 'instance')}`,
    'replaces an instance of that group only if its image, type, key pair, profile, market type or security groups differ',
  ],
  instances: NONE,
});

const instancesAfter = (actions: readonly PoolAction[], was: number, is: number, running: number) => {
  const isReplacing = actions.some((action) => action.do === 'start-refresh');
  const kept = Math.min(was, is, running);
  return { more: Math.max(is - was, 0), fewer: Math.max(was - is, 0), replaced: isReplacing ? kept : 0 };
};

const change = (after: AwsPlacedPool, before: AwsPlacedPool, wishes: PoolWishes): PoolForecast => {
  const { pool, awsPool } = after;
  const found = wishesOf(before);
  // A part that could not be created so far does not exist.
  if ('problem' in found) return creation(after, wishes);
  const was = named(found, before.awsPool);
  const start = asAsked(before.awsPool, was, before.pool.spec.replicas ?? 1);
  const { actions, end } = playPool(awsPool, wishes, start);
  if (!start.group) return { lines: [], instances: NONE };
  const version = versionOf(before.awsPool);
  const story: PoolStory = {
    pool,
    awsPool,
    before: { wishes: was, group: start.group },
    wishes,
    group: end.group,
    version,
  };
  const lines = actions.flatMap((action) => actionLines(story, action));
  const capacities = [start.group.desired, end.group?.desired ?? 0] as const;
  return {
    lines: [...lines, ...replicasLines(pool, before.pool)],
    instances: instancesAfter(actions, ...capacities, start.group.instances.length),
  };
};

const forecast = (after: AwsPlacedPool, before: AwsPlacedPool | undefined): PoolForecast => {
  const found = wishesOf(after);
  if ('problem' in found) return blocked(found.problem);
  const wishes = named(found, (before ?? after).awsPool);
  if (before && versionOf(before.awsPool) !== undefined) return change(after, before, wishes);
  if (groupNameIn(after.awsPool)) return adoption(after, wishes);
  const { lines, instances } = creation(after, wishes);
  return { lines: [...lines, ...replicasLines(after.pool, undefined)], instances };
};

const deletion = ({ pool, awsPool }: AwsPlacedPool): PoolForecast => {
  const ids = instancesOf(awsPool);
  const name = groupNameIn(awsPool);
  const isAlone = pool.metadata.deletionTimestamp === undefined;
  if (!name && versionOf(awsPool) === undefined) {
    return { lines: ['has no Auto Scaling group to delete'], instances: NONE };
  }
  const which = ids.length > 0 ? `: ${some(ids)}` : '';
  return {
    lines: [
      `deletes Auto Scaling group ${name ?? groupNameOf(awsPool)} with its ${count(ids.length, 'instance')}, without a drain${which}`,
      'then deletes its launch template and its Machines',
      ...(isAlone ? ['stays without a group until there is an AWSMachinePool of that name again'] : []),
    ],
    instances: { ...NONE, fewer: areReplicasManaged(pool) ? ids.length : (pool.spec.replicas ?? ids.length) },
  };
};

/** The lines of a preview about pools that are Auto Scaling groups. */
export const poolPreview: PoolPreview = {
  change: (after, before) => forecast(placedOf(after), before && placedOf(before)),
  deletion: (placed) => deletion(placedOf(placed)),
};
