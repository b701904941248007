import type * as sdk from '@aws-sdk/client-auto-scaling';
import { AwsFault } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { Group, Refresh, Source } from '../records.ts';
import { activeRefresh } from '../refresh/active.ts';
import { beginRollback, percentageOf } from '../refresh/rollback.ts';
import { startRefresh } from '../refresh/start.ts';
import { type AutoScaling, getGroup } from '../state.ts';
import { page } from './pages.ts';

const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at));

const configuration = ({ template, mixed }: Source): sdk.DesiredConfiguration => ({
  LaunchTemplate: template,
  MixedInstancesPolicy: mixed,
});

const view = ({ name }: Group, refresh: Refresh): sdk.InstanceRefresh => ({
  InstanceRefreshId: refresh.id,
  AutoScalingGroupName: name,
  Status: refresh.status,
  StatusReason: refresh.reason,
  StartTime: time(refresh.startedAt),
  EndTime: time(refresh.endedAt),
  PercentageComplete: percentageOf(refresh),
  InstancesToUpdate: refresh.total - refresh.replaced,
  ProgressDetails: {
    LivePoolProgress: {
      PercentageComplete: percentageOf(refresh),
      InstancesToUpdate: refresh.total - refresh.replaced,
    },
  },
  Preferences: refresh.preferences,
  DesiredConfiguration: refresh.desired && configuration(refresh.desired),
  RollbackDetails: refresh.rollback && {
    RollbackReason: refresh.rollback.reason,
    RollbackStartTime: time(refresh.rollback.startedAt),
    PercentageCompleteOnRollback: refresh.rollback.percentage,
    InstancesToUpdateOnRollback: refresh.rollback.instances,
  },
  Strategy: 'Rolling',
});

const getActive = (group: Group): Refresh => {
  const refresh = activeRefresh(group);
  if (refresh && refresh.status !== 'Cancelling') return refresh;
  throw new AwsFault(
    'ActiveInstanceRefreshNotFound',
    `No in progress or pending Instance Refresh found for Auto Scaling group ${group.name}`,
  );
};

const rollBack = (as: AutoScaling, group: Group): Refresh => {
  const refresh = getActive(group);
  if (!refresh.desired || refresh.status === 'RollbackInProgress')
    throw new AwsFault(
      'IrreversibleInstanceRefresh',
      'The instance refresh cannot be rolled back: it has no desired configuration, or it is rolled back already.',
    );
  beginRollback(as, group, refresh, 'The instance refresh was rolled back in response to a user request.');
  return refresh;
};

/** Instance refreshes. */
export const refreshActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  StartInstanceRefresh: (input) => ({ InstanceRefreshId: startRefresh(as, input).id }),
  CancelInstanceRefresh: ({ AutoScalingGroupName, WaitForTransitioningInstances = true }) => {
    const refresh = getActive(getGroup(as, AutoScalingGroupName));
    refresh.status = 'Cancelling';
    refresh.waitsForInstances = WaitForTransitioningInstances;
    return { InstanceRefreshId: refresh.id };
  },
  RollbackInstanceRefresh: ({ AutoScalingGroupName }) => ({
    InstanceRefreshId: rollBack(as, getGroup(as, AutoScalingGroupName)).id,
  }),
  DescribeInstanceRefreshes: ({ AutoScalingGroupName, InstanceRefreshIds: ids, ...asked }) => {
    const group = getGroup(as, AutoScalingGroupName);
    const newest = group.refreshes.toReversed().filter(({ id }) => !ids?.length || ids.includes(id));
    const { rows, NextToken } = page(newest, asked);
    return { InstanceRefreshes: rows.map((refresh) => view(group, refresh)), NextToken };
  },
});
