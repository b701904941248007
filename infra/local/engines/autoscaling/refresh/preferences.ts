import type * as sdk from '@aws-sdk/client-auto-scaling';
import { notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Group, Source } from '../records.ts';
import { validationError } from '../state.ts';
import { specificationOf } from '../template.ts';

const KNOWN = [
  'AutoRollback',
  'BakeTime',
  'CheckpointDelay',
  'CheckpointPercentages',
  'InstanceWarmup',
  'MaxHealthyPercentage',
  'MinHealthyPercentage',
  'ScaleInProtectedInstances',
  'SkipMatching',
  'StandbyInstances',
];

const TWO_DAYS = 172_800;

const checkRange = (name: string, value: number | undefined, [least, most]: readonly [number, number]): void => {
  if (value !== undefined && (value < least || value > most))
    throw validationError(`${name} must be between ${least} and ${most}, inclusive.`);
};

const checkHealthy = ({ MinHealthyPercentage: min, MaxHealthyPercentage: max }: sdk.RefreshPreferences): void => {
  checkRange('MinHealthyPercentage', min, [0, 100]);
  checkRange('MaxHealthyPercentage', max, [100, 200]);
  if (max === undefined) return;
  if (min === undefined)
    throw validationError('You must specify MinHealthyPercentage when you specify MaxHealthyPercentage.');
  if (max - min > 100)
    throw validationError(
      'The difference between MaxHealthyPercentage and MinHealthyPercentage must not be above 100.',
    );
};

const checkCheckpoints = ({ CheckpointPercentages: given, CheckpointDelay: delay }: sdk.RefreshPreferences): void => {
  checkRange('CheckpointDelay', delay, [0, TWO_DAYS]);
  if (!given?.length) {
    if (delay !== undefined)
      throw validationError('You must specify CheckpointPercentages when you specify CheckpointDelay.');
    return;
  }
  for (const [index, percentage] of given.entries())
    if (percentage < 1 || percentage > 100 || percentage <= (given[index - 1] ?? 0))
      throw validationError('CheckpointPercentages must be unique, between 1 and 100, and in ascending order.');
};

const isMoving = (source: Source): boolean => /^\$/.test(specificationOf(source)?.Version ?? '$Default');

/** Throws a ValidationError if the source of launches could not be restored. */
const checkRollback = (before: Source, desired: Source | undefined): void => {
  if (!desired) throw validationError('AutoRollback needs a desired configuration.');
  if (isMoving(before) || isMoving(desired))
    throw validationError('A rollback is not possible with the versions $Latest and $Default of a launch template.');
};

/** The preferences of a refresh with the defaults of AWS and of the group. Throws a ValidationError. */
export const readPreferences = (
  group: Group,
  given: sdk.RefreshPreferences,
  desired: Source | undefined,
): sdk.RefreshPreferences => {
  if (given.AlarmSpecification?.Alarms?.length) throw notSimulated('an alarm that ends an instance refresh');
  const { AlarmSpecification: _, ...rest } = given;
  onlySimulated('autoscaling:StartInstanceRefresh Preferences', rest, KNOWN);
  checkHealthy(given);
  checkCheckpoints(given);
  checkRange('InstanceWarmup', given.InstanceWarmup, [-1, 3600]);
  checkRange('BakeTime', given.BakeTime, [0, TWO_DAYS]);
  if (given.AutoRollback) checkRollback(group.source, desired);
  const { maintenance } = group;
  const most = given.MaxHealthyPercentage ?? (given.MinHealthyPercentage === undefined ? maintenance?.max : undefined);
  const warmup = given.InstanceWarmup === -1 ? undefined : given.InstanceWarmup;
  return {
    MinHealthyPercentage: given.MinHealthyPercentage ?? maintenance?.min ?? 90,
    ...(most === undefined ? {} : { MaxHealthyPercentage: most }),
    InstanceWarmup: warmup ?? group.warmupSeconds ?? group.gracePeriodSeconds,
    ...(given.CheckpointPercentages?.length
      ? { CheckpointPercentages: given.CheckpointPercentages, CheckpointDelay: given.CheckpointDelay ?? 3600 }
      : {}),
    SkipMatching: given.SkipMatching ?? false,
    AutoRollback: given.AutoRollback ?? false,
    ScaleInProtectedInstances: given.ScaleInProtectedInstances ?? 'Wait',
    StandbyInstances: given.StandbyInstances ?? 'Wait',
    ...(given.BakeTime === undefined ? {} : { BakeTime: given.BakeTime }),
  };
};
