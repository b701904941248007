/**
 * The share of the function's 1,024 MB that the objects of a sweep may take (infra/constructs/workflow/step.ts). The
 * code takes 150 MB; the nodes, Services and pods of five servers may take 480 MB, and the listings of accounts need
 * the rest. The 1,000 clusters of 13 machines for which a function is sized (docs/scale.md) take about 290 MB.
 */
import type { ReadLimits } from '../../shared/kube-api/storage/read-budget.ts';

const MEGABYTE = 1024 * 1024;

/** The limits for everything that a sweep compares. */
export const SWEEP_LIMITS: ReadLimits = { namespace: 352 * MEGABYTE, total: 384 * MEGABYTE };

/** The limits for additional lists of which little is kept, such as those of hourly work. */
export const PASSING_LIMITS: ReadLimits = { namespace: 192 * MEGABYTE, total: 192 * MEGABYTE };

/** The limits for each of `count` lists that are read concurrently. */
export const shareOf = ({ total }: ReadLimits, count: number): ReadLimits => ({
  namespace: total / count,
  total: total / count,
});
