import type * as sdk from '@aws-sdk/client-auto-scaling';
import { applyFilters } from '../../ec2/filters.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { causeTime } from '../activities.ts';
import { mergePolicy } from '../mixed.ts';
import type { Group } from '../records.ts';
import { type AutoScaling, getGroup, validationError } from '../state.ts';
import { checkLaunchable } from '../template.ts';
import { because, beginTermination } from '../terminate.ts';
import { createGroup } from './create-group.ts';
import { readNetwork } from './network.ts';
import { page } from './pages.ts';
import { checkSizes, readFields, readSource, SHARED, type Sizes } from './read-group.ts';
import { groupView } from './view.ts';

/** The sizes after an update: the desired capacity follows the bounds if the call does not set it. */
const sizesAfter = (group: Group, { MinSize, MaxSize, DesiredCapacity }: sdk.UpdateAutoScalingGroupType): Sizes => {
  const [min, max] = [MinSize ?? group.min, MaxSize ?? group.max];
  const desired = DesiredCapacity ?? Math.min(Math.max(group.desired, min), max);
  checkSizes({ min, max, desired });
  return { min, max, desired };
};

const update = (as: AutoScaling, input: sdk.UpdateAutoScalingGroupType): void => {
  onlySimulated('autoscaling:UpdateAutoScalingGroup', input, SHARED);
  const group = getGroup(as, input.AutoScalingGroupName);
  if (group.isDeleting) throw validationError('AutoScalingGroup name not found - null');
  const sizes = sizesAfter(group, input);
  const { LaunchTemplate, MixedInstancesPolicy } = input;
  const policy = MixedInstancesPolicy && mergePolicy(group.source.mixed, MixedInstancesPolicy);
  const source = readSource(as, { LaunchTemplate, MixedInstancesPolicy: policy }) ?? group.source;
  const isMoved = input.VPCZoneIdentifier !== undefined || input.AvailabilityZones !== undefined;
  const network = isMoved ? readNetwork(as, input) : undefined;
  const fields = readFields(input);
  if (source !== group.source) checkLaunchable(as, source, (network ?? group).subnetIds[0] ?? '');
  if (sizes.desired !== group.desired)
    group.cause = `At ${causeTime(as.now())} a user request update of AutoScalingGroup constraints to min: ${sizes.min}, max: ${sizes.max}, desired: ${sizes.desired} changing the desired capacity from ${group.desired} to ${sizes.desired}.  `;
  Object.assign(group, fields, sizes, network ?? {}, { source, retryAt: 0, failures: 0 });
};

const remove = (
  as: AutoScaling,
  { AutoScalingGroupName, ForceDelete = false }: sdk.DeleteAutoScalingGroupType,
): void => {
  const group = getGroup(as, AutoScalingGroupName);
  const members = [...group.members.values()];
  if (!ForceDelete && members.some(({ activityId }) => activityId !== undefined))
    throw new AwsFault(
      'ScalingActivityInProgress',
      'You cannot delete an AutoScalingGroup while there are scaling activities in progress for that group.',
    );
  if (!ForceDelete && members.length > 0)
    throw new AwsFault(
      'ResourceInUse',
      'You cannot delete an AutoScalingGroup while there are instances or pending Spot instance request(s) still in the group.',
    );
  group.isDeleting = true;
  group.desired = 0;
  const cause = because(as, 'a user request deleted the AutoScalingGroup.');
  for (const member of members) if (!/Terminating/.test(member.state)) beginTermination(as, group, member, { cause });
};

/** Without `MaxRecords`, a call may name as many groups as it returns. */
const MOST_NAMES = 50;

const describe = (as: AutoScaling, input: sdk.AutoScalingGroupNamesType): sdk.AutoScalingGroupsType => {
  const { AutoScalingGroupNames: names, Filters, IncludeInstances = true } = input;
  const most = input.MaxRecords ?? MOST_NAMES;
  if (names && names.length > most)
    throw validationError(`The number of group names that may be passed in is limited to ${most}`);
  const found = [...as.groups.values()].filter(({ name }) => !names?.length || names.includes(name));
  const rows = found.map((group) => ({
    group,
    tags: new Map([...group.tags].map(([key, { value }]) => [key, value])),
  }));
  const fitting = applyFilters(rows, Filters, {}).toSorted((a, b) => a.group.sequence - b.group.sequence);
  const { rows: shown, NextToken } = page(fitting, input);
  const views = shown.map(({ group }) => groupView(group));
  return {
    AutoScalingGroups: IncludeInstances ? views : views.map(({ Instances: _, ...view }) => view),
    NextToken,
  };
};

/** Auto Scaling groups as a whole. */
export const groupActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  CreateAutoScalingGroup: (input) => {
    createGroup(as, input);
    return {};
  },
  UpdateAutoScalingGroup: (input) => {
    update(as, input);
    return {};
  },
  DeleteAutoScalingGroup: (input) => {
    remove(as, input);
    return {};
  },
  DescribeAutoScalingGroups: (input) => describe(as, input),
  DescribeAccountLimits: () => ({
    MaxNumberOfAutoScalingGroups: as.settings.autoScalingGroups,
    // AWS reports this limit although new accounts cannot create any.
    MaxNumberOfLaunchConfigurations: 200,
    NumberOfAutoScalingGroups: as.groups.size,
    NumberOfLaunchConfigurations: 0,
  }),
});
