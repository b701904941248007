import type * as sdk from '@aws-sdk/client-auto-scaling';
import { onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { type AutoScaling, validationError } from '../state.ts';
import { page } from './pages.ts';
import { activityView } from './view.ts';

const KNOWN = ['ActivityIds', 'AutoScalingGroupName', 'IncludeDeletedGroups', 'MaxRecords', 'NextToken'];

const describe = (as: AutoScaling, input: sdk.DescribeScalingActivitiesType): sdk.ActivitiesType => {
  onlySimulated('autoscaling:DescribeScalingActivities', input, KNOWN);
  const { AutoScalingGroupName: name, ActivityIds: ids, IncludeDeletedGroups: all = false } = input;
  const buried = [...as.buried].map(([arn, group]) => ({ ...group, arn }));
  const groups = [...as.groups.values(), ...(all ? buried : [])].filter(
    (group) => name === undefined || group.name === name || group.arn === name,
  );
  if (name !== undefined && groups.length === 0)
    throw validationError(`AutoScalingGroup name not found - AutoScalingGroup '${name}' not found`);
  const rows = groups.flatMap((group) => group.activities.map((activity) => ({ group, activity })));
  const wanted = rows.filter(({ activity }) => !ids?.length || ids.includes(activity.id));
  const newest = wanted.toReversed().toSorted((a, b) => b.activity.startedAt - a.activity.startedAt);
  const { rows: shown, NextToken } = page(newest, input, { most: 100, otherwise: 100 });
  return { Activities: shown.map(({ group, activity }) => activityView(as, group, activity)), NextToken };
};

/** The activities of groups. */
export const activityActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  DescribeScalingActivities: (input) => describe(as, input),
});
