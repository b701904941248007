/**
 * What the objects of a sweep may take of the function's 1,024 MB (infra/constructs/workflow/step.ts). 150 MB are its code; the
 * nodes, Services and pods of five servers may take 480 MB, and the listings of accounts need the rest. The 1,000
 * clusters of 13 machines that a function is made for (docs/scale.md) weigh about 290 MB.
 */
import type { ReadLimits } from '../../shared/kube-api/storage/read-budget.ts';

const MEGABYTE = 1024 * 1024;

/** For all that a sweep compares. */
export const SWEEP_LIMITS: ReadLimits = { namespace: 352 * MEGABYTE, total: 384 * MEGABYTE };

/** For lists beside these of which little is kept, such as what is read once an hour. */
export const PASSING_LIMITS: ReadLimits = { namespace: 192 * MEGABYTE, total: 192 * MEGABYTE };

/** What each of `count` lists may take that are read at the same time. */
export const shareOf = ({ total }: ReadLimits, count: number): ReadLimits => ({
  namespace: total / count,
  total: total / count,
});
