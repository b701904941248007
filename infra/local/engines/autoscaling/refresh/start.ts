import type * as sdk from '@aws-sdk/client-auto-scaling';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import { emitRefresh } from '../events.ts';
import { readSource } from '../handlers/read-group.ts';
import { activeMembers, pooledMembers } from '../members.ts';
import type { Group, Member, Refresh, Source } from '../records.ts';
import { type AutoScaling, does, getGroup, validationError } from '../state.ts';
import { checkLaunchable, lookUp } from '../template.ts';
import { because, beginTermination } from '../terminate.ts';
import { activeRefresh } from './active.ts';
import { readPreferences } from './preferences.ts';

const REMEMBERED = 50;

const typesOf = ({ mixed }: Source): string[] | undefined =>
  mixed?.LaunchTemplate?.Overrides?.flatMap(({ InstanceType }) => InstanceType ?? []);

/** Whether an instance equals a new one. */
const matches = (as: AutoScaling, source: Source, { template, instanceType }: Member): boolean => {
  const wanted = lookUp(as, source);
  const types = typesOf(source);
  const hasType = !types?.length || types.includes(instanceType);
  return wanted !== undefined && template?.id === wanted.id && template.version === wanted.version && hasType;
};

/** Instances of the warm pool are not in use, so all of them are replaced at once. */
const refreshPool = (as: AutoScaling, group: Group, isOld: (member: Member) => boolean): void => {
  const cause = because(as, 'an instance was taken out of the warm pool in response to an instance refresh.');
  for (const member of pooledMembers(group).filter(isOld)) beginTermination(as, group, member, { cause });
};

const desiredOf = (as: AutoScaling, group: Group, given: sdk.DesiredConfiguration | undefined): Source | undefined => {
  if (!given) return undefined;
  const desired = readSource(as, given);
  if (!desired) throw validationError('The desired configuration needs a LaunchTemplate or a MixedInstancesPolicy.');
  checkLaunchable(as, desired, group.subnetIds[0] ?? '');
  return desired;
};

/** Starts an instance refresh. Throws AWS's faults before anything is changed. */
export const startRefresh = (as: AutoScaling, input: sdk.StartInstanceRefreshType): Refresh => {
  const known = ['AutoScalingGroupName', 'Strategy', 'DesiredConfiguration', 'Preferences'];
  onlySimulated('autoscaling:StartInstanceRefresh', input, known);
  const group = getGroup(as, input.AutoScalingGroupName);
  if ((input.Strategy ?? 'Rolling') !== 'Rolling') throw notSimulated(`the refresh strategy ${input.Strategy}`);
  if (activeRefresh(group))
    throw new AwsFault(
      'InstanceRefreshInProgress',
      'An Instance Refresh is already in progress and blocks the execution of this Instance Refresh.',
    );
  if (!does(group, 'InstanceRefresh')) throw validationError('The process InstanceRefresh is suspended.');
  const desired = desiredOf(as, group, input.DesiredConfiguration);
  const preferences = readPreferences(group, input.Preferences ?? {}, desired);
  const isOld = (member: Member) => !preferences.SkipMatching || !matches(as, desired ?? group.source, member);
  const old = new Set(
    activeMembers(group)
      .filter(isOld)
      .map(({ id }) => id),
  );
  const refresh: Refresh = {
    ...{ id: as.place.random.uuid(), startedAt: as.now(), preferences, desired, before: group.source, old },
    ...{ total: old.size, replaced: 0, progressAt: as.now(), status: 'Pending', reason: undefined },
    ...{ endedAt: undefined, checkpoints: 0, pausedUntil: undefined, bakesUntil: undefined },
    ...{ waitsForInstances: true, rollback: undefined },
  };
  group.refreshes = [...group.refreshes, refresh].slice(-REMEMBERED);
  Object.assign(group, { retryAt: 0, failures: 0 });
  refreshPool(as, group, isOld);
  emitRefresh(as, group, refresh, 'Started');
  return refresh;
};
