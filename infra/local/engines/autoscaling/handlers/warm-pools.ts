import type * as sdk from '@aws-sdk/client-auto-scaling';
import { findTemplate, getVersion } from '../../ec2/launch-templates/find.ts';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { Group } from '../records.ts';
import { type AutoScaling, getGroup, validationError } from '../state.ts';
import { lookUp } from '../template.ts';
import { page } from './pages.ts';
import { instanceView, warmPoolView } from './view.ts';

/** Spot instances cannot be stopped and kept. */
const launchesSpot = (as: AutoScaling, { source }: Group): boolean => {
  if ((source.mixed?.InstancesDistribution?.OnDemandPercentageAboveBaseCapacity ?? 100) < 100) return true;
  const used = lookUp(as, source);
  const template = used && findTemplate(as.neighbours.ec2, { LaunchTemplateId: used.id });
  return template !== undefined && getVersion(template, String(used?.version)).data.InstanceMarketOptions !== undefined;
};

const put = (as: AutoScaling, input: sdk.PutWarmPoolType): void => {
  onlySimulated('autoscaling:PutWarmPool', input, [
    'AutoScalingGroupName',
    'MaxGroupPreparedCapacity',
    'MinSize',
    'PoolState',
    'InstanceReusePolicy',
  ]);
  const group = getGroup(as, input.AutoScalingGroupName);
  const { MaxGroupPreparedCapacity: maxPrepared, MinSize: minSize, PoolState: poolState } = input;
  if (poolState === 'Hibernated') throw notSimulated('a warm pool of hibernated instances');
  if (launchesSpot(as, group))
    throw validationError('You cannot add a warm pool to an Auto Scaling group that launches Spot Instances.');
  if ((maxPrepared ?? 0) < -1 || (minSize ?? 0) < 0)
    throw validationError('MinSize must not be negative, and MaxGroupPreparedCapacity must not be below -1.');
  const before = group.warmPool;
  if (before?.isDeleting) throw validationError('The warm pool is being deleted.');
  const most = maxPrepared === -1 ? undefined : (maxPrepared ?? before?.maxPrepared);
  if (most !== undefined && most < group.min)
    throw validationError('MaxGroupPreparedCapacity must not be below the minimum size of the Auto Scaling group.');
  group.warmPool = {
    maxPrepared: most,
    minSize: minSize ?? before?.minSize ?? 0,
    poolState: poolState ?? before?.poolState ?? 'Stopped',
    reuseOnScaleIn: input.InstanceReusePolicy?.ReuseOnScaleIn ?? before?.reuseOnScaleIn ?? false,
    isDeleting: false,
  };
};

const remove = (as: AutoScaling, { AutoScalingGroupName, ForceDelete = false }: sdk.DeleteWarmPoolType): void => {
  const group = getGroup(as, AutoScalingGroupName);
  if (!group.warmPool) throw validationError(`No warm pool found for Auto Scaling group ${group.name}`);
  const pooled = [...group.members.values()].filter(({ state }) => state.startsWith('Warmed:'));
  if (!ForceDelete && pooled.some(({ activityId }) => activityId !== undefined))
    throw new AwsFault(
      'ScalingActivityInProgress',
      'You cannot delete a warm pool while there are scaling activities in progress for it.',
    );
  if (!ForceDelete && pooled.length > 0)
    throw new AwsFault('ResourceInUse', 'You cannot delete a warm pool while there are instances still in it.');
  group.warmPool.isDeleting = true;
};

/** Warm pools of groups. */
export const warmPoolActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  PutWarmPool: (input) => {
    put(as, input);
    return {};
  },
  DeleteWarmPool: (input) => {
    remove(as, input);
    return {};
  },
  DescribeWarmPool: ({ AutoScalingGroupName, ...asked }) => {
    const group = getGroup(as, AutoScalingGroupName);
    const pooled = [...group.members.values()].filter(({ state }) => state.startsWith('Warmed:'));
    const { rows, NextToken } = page(pooled, asked, { most: 50 });
    return {
      WarmPoolConfiguration: group.warmPool && warmPoolView(group.warmPool),
      Instances: rows.map((member) => instanceView(group, member)),
      NextToken,
    };
  },
});
