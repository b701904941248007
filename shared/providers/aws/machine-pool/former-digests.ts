import type { AWSMachinePool } from '../../../kinds/index.ts';
import type { DesiredTemplate } from './model.ts';
import type { ObservedPool } from './plan.ts';
import { withRefresh, withTemplate } from './record.ts';

/**
 * The observed pool, in which the digests that an earlier version of Windlass has recorded for this template are
 * replaced by the current ones, so that an upgrade of Windlass replaces no instances. The same object if there are
 * none.
 */
export const withTodaysDigests = (
  observed: ObservedPool,
  { shape, digest, former = [] }: DesiredTemplate,
): ObservedPool => {
  const { latest, recordedRefresh } = observed;
  const isOld = (found: string | undefined) => found !== shape && former.some((one) => one.shape === found);
  if (!isOld(latest?.shape) && !isOld(recordedRefresh?.shape)) return observed;
  return {
    ...observed,
    latest: latest && {
      ...latest,
      shape: isOld(latest.shape) ? shape : latest.shape,
      digest: former.some((one) => one.digest === latest.digest) ? digest : latest.digest,
    },
    recordedRefresh: recordedRefresh && {
      ...recordedRefresh,
      shape: isOld(recordedRefresh.shape) ? shape : recordedRefresh.shape,
    },
  };
};

/**
 * The pool with the latest version and the refresh of `observed` in its record; undefined if they are already recorded.
 */
export const withRecordOf = (
  pool: AWSMachinePool,
  { latest, recordedRefresh }: ObservedPool,
): AWSMachinePool | undefined => {
  const withLatest = latest && withTemplate(pool, latest);
  return (recordedRefresh && withRefresh(withLatest ?? pool, recordedRefresh)) ?? withLatest;
};
