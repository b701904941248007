import { isRefusal } from '../../../shared/aws/errors.ts';
import { safeReason } from '../../../shared/safe-reason.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';
import { isFirst } from '../shards.ts';
import { isHourly } from './hourly.ts';

/**
 * Whether the last export of the table failed, or exports may not be listed, in which case nobody would notice a
 * failure. DynamoDB sends no event, so it is asked once an hour, by one shard for all. An hourly fault does not raise
 * the alarm for failing sweeps.
 */
export const hasFailedExport = async (deps: DriftDependencies, { faults }: SweepRun): Promise<boolean> => {
  const { exports, log, shard } = deps;
  if (!exports || !isFirst(shard) || !isHourly(deps)) return false;
  try {
    const failed = await exports.lastFailed();
    if (failed !== undefined) log.warn('the last export of the table failed', { export: failed });
    return failed !== undefined;
  } catch (error) {
    log.error('the exports of the table could not be listed', { reason: safeReason(error) });
    faults.push(error);
    return isRefusal(error);
  }
};
